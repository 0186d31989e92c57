// The tables of published studies, recomputed.
namespace faultline::study {
}
