import oracle

main = oracle.load("main")
answer = oracle.call(main.answer)
oracle.check(answer == 42, "wrong answer")
