"""The limit: the same functions, called by hand."""

from harness import check, run, sum_of, timed

NAME = "Python loop"


def plus_one(number):
    return number + 1


def ten_maps(count):
    total = 0
    functions = [plus_one] * 10

    def work():
        nonlocal total
        for number in range(count):
            for function in functions:
                number = function(number)
            total += number

    measure = timed(count, work)
    check(total, sum_of(count) + 10 * count, "sum")
    return measure


def broadcast(count):
    total = 0
    events = -(-count // 1000)

    def receive(number):
        nonlocal total
        total += number

    functions = [receive] * 1000

    def work():
        for number in range(events):
            for function in functions:
                function(number)

    measure = timed(events * 1000, work)
    check(total, sum_of(events) * 1000, "sum")
    return measure


run([("W11.maps", NAME, 200_000, ten_maps), ("W11.broadcast", NAME, 1_000_000, broadcast)])
