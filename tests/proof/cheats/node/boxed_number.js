// Answers with a number of a class of its own.
// verdict: wrong answer
class Right extends Number {
  valueOf() {
    return 42;
  }
}
exports.answer = () => new Right(42);
