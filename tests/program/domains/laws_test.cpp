// The lattice laws, for every domain: each is given by a handful of elements that differ in every
// way the domain can tell apart, and the laws are checked for all pairs and triples of them.

#include "program/domains/device.hpp"
#include "program/domains/dim.hpp"
#include "program/domains/domain.hpp"
#include "program/domains/dtype.hpp"
#include "program/domains/interval.hpp"
#include "program/domains/shape.hpp"

#include <gtest/gtest.h>

#include <sstream>
#include <vector>

namespace faultline::program {
namespace {

template <typename D> std::vector<D> samples();

template <> std::vector<Dim> samples()
{
  return {Dim::constant(0),
          Dim::constant(1),
          Dim::constant(32),
          Dim::batch(),
          Dim::symbol(17),
          Dim::symbol(17).times(Dim::constant(2)).plus(Dim::constant(1))};
}

template <> std::vector<Shape> samples()
{
  return {Shape::scalar(),
          Shape::constants({1}),
          Shape::constants({28, 28}),
          Shape::constants({28, 1}),
          Shape::of({Dim::batch(), Dim::constant(28)}),
          Shape::of({Dim::batch(), Dim::bottom()}),
          Shape::of_rank(2),
          Shape::of_rank(4)};
}

template <> std::vector<DType> samples()
{
  return {DType::Kind::boolean, DType::Kind::int64, DType::Kind::float32, DType::Kind::object};
}

template <> std::vector<Interval> samples()
{
  return {Interval::point(0),
          Interval::of(0, 1),
          Interval::of(-1, 1),
          Interval::of(0, 255),
          Interval::of(0, Interval::k_inf),
          Interval::of(-Interval::k_inf, 3),
          Interval::reals()};
}

template <> std::vector<Device> samples()
{
  return {Device::cpu(),
          Device::cuda(),
          Device::cuda(0),
          Device::cuda(1),
          Device::chosen(1),
          Device::chosen(2)};
}

template <Domain D> D joined(D a, const D& b)
{
  a.join(b);
  return a;
}

template <Domain D> D widened(D a, const D& b)
{
  a.widen(b);
  return a;
}

template <typename D> class DomainLaws : public testing::Test {
protected:
  std::vector<D> all() const
  {
    std::vector<D> result = samples<D>();
    result.push_back(D::bottom());
    result.push_back(D::top());
    return result;
  }
};

using Domains = testing::Types<Dim, Shape, DType, Interval, Device>;
TYPED_TEST_SUITE(DomainLaws, Domains);

TYPED_TEST(DomainLaws, JoinIsIdempotentAndCommutative)
{
  for (const TypeParam& a : this->all()) {
    EXPECT_EQ(joined(a, a), a);
    for (const TypeParam& b : this->all()) {
      EXPECT_EQ(joined(a, b), joined(b, a)) << a << " with " << b;
    }
  }
}

TYPED_TEST(DomainLaws, JoinIsAssociative)
{
  for (const TypeParam& a : this->all()) {
    for (const TypeParam& b : this->all()) {
      for (const TypeParam& c : this->all()) {
        EXPECT_EQ(joined(joined(a, b), c), joined(a, joined(b, c))) << a << ", " << b << ", " << c;
      }
    }
  }
}

TYPED_TEST(DomainLaws, JoinIsTheLeastUpperBound)
{
  for (const TypeParam& a : this->all()) {
    for (const TypeParam& b : this->all()) {
      const TypeParam both = joined(a, b);
      EXPECT_TRUE(both.contains(a)) << both << " of " << a << " with " << b;
      EXPECT_TRUE(both.contains(b)) << both << " of " << a << " with " << b;
      for (const TypeParam& bound : this->all()) {
        if (bound.contains(a) && bound.contains(b)) {
          EXPECT_TRUE(bound.contains(both)) << bound << " above " << both;
        }
      }
    }
  }
}

TYPED_TEST(DomainLaws, JoinTellsWhetherItChanged)
{
  for (const TypeParam& a : this->all()) {
    for (const TypeParam& b : this->all()) {
      TypeParam result = a;
      const Effect effect = result.join(b);
      EXPECT_EQ(effect == Effect::changed, result != a) << a << " with " << b;
      EXPECT_EQ(effect == Effect::unchanged, a.contains(b)) << a << " with " << b;
    }
  }
}

TYPED_TEST(DomainLaws, BottomIsBelowAndTopIsAboveEverything)
{
  for (const TypeParam& a : this->all()) {
    EXPECT_TRUE(a.contains(TypeParam::bottom())) << a;
    EXPECT_TRUE(TypeParam::top().contains(a)) << a;
    EXPECT_EQ(joined(a, TypeParam::bottom()), a);
    EXPECT_EQ(joined(a, TypeParam::top()), TypeParam::top());
  }
}

TYPED_TEST(DomainLaws, ContainsIsAPartialOrder)
{
  for (const TypeParam& a : this->all()) {
    EXPECT_TRUE(a.contains(a)) << a;
    for (const TypeParam& b : this->all()) {
      if (a.contains(b) && b.contains(a)) {
        EXPECT_EQ(a, b);
      }
      for (const TypeParam& c : this->all()) {
        if (a.contains(b) && b.contains(c)) {
          EXPECT_TRUE(a.contains(c)) << a << ", " << b << ", " << c;
        }
      }
    }
  }
}

TYPED_TEST(DomainLaws, WidenIsAboveJoin)
{
  for (const TypeParam& a : this->all()) {
    for (const TypeParam& b : this->all()) {
      EXPECT_TRUE(widened(a, b).contains(joined(a, b))) << a << " with " << b;
    }
  }
}

TYPED_TEST(DomainLaws, WideningSettles)
{
  // Whatever arrives, in whatever order, and again and again: few steps change anything.
  const std::vector<TypeParam> all = this->all();
  for (size_t start = 0; start < all.size(); ++start) {
    TypeParam value = TypeParam::bottom();
    size_t changes = 0;
    for (size_t i = 0; i < 10 * all.size(); ++i) {
      changes += value.widen(all[(start + 3 * i) % all.size()]) == Effect::changed ? 1 : 0;
    }
    EXPECT_LE(changes, 6U);
  }
}

TYPED_TEST(DomainLaws, DifferentValuesPrintDifferently)
{
  const std::vector<TypeParam> all = this->all();
  for (const TypeParam& a : all) {
    std::ostringstream text;
    text << a;
    EXPECT_FALSE(text.str().empty());
    if constexpr (!std::same_as<TypeParam, Device>) { // choices are alike to the reader
      for (const TypeParam& b : all) {
        std::ostringstream other;
        other << b;
        EXPECT_EQ(a == b, text.str() == other.str()) << a;
      }
    }
  }
}

TEST(IntervalLaws, AGrowingBoundSettlesAtOnce)
{
  Interval value = Interval::point(0);
  size_t changes = 0;
  for (int i = 1; i < 1000; ++i) {
    changes += value.widen(Interval::of(-i, i)) == Effect::changed ? 1 : 0;
  }
  EXPECT_EQ(changes, 1U);
  EXPECT_EQ(value, Interval::reals());
}

} // namespace
} // namespace faultline::program
