"""Readings of which one counts: variants of the others stay near the clean run, its variant is far away."""


def load():
    first = 2 + 1
    second = 3 - 1
    third = 4 + 2
    fourth = 5 - 2
    return [first, second, third, fourth]


def learn():
    fifth = 6 + 1
    sixth = 7 - 1
    seventh = [7, 8, 9][3 - 1]
    eighth = 8 + 3
    weight = 9 - 4
    return weight, [fifth, sixth, seventh, eighth]
