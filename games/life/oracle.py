"""Computes generations of random Life boards with numpy and scipy: python3 oracle.py > oracle.txt

Each line is RULE GENERATIONS BEFORE AFTER. RULE 1 is Life1, with points written as their ages; 2 is Life2;
3 is Life2 with births at a difference of two or more."""
import numpy as np
from scipy.signal import convolve2d

K = np.array([[1, 1, 1], [1, 0, 1], [1, 1, 1]])
near = lambda board: convolve2d(board, K, "same")
one = lambda a: np.where(a > 0, (a + 1) * np.isin(near(a > 0), (2, 3)) * (a < 5), near(a > 0) == 3)
two = lambda s, born: np.where(s != 0, s * np.isin(np.where(s > 0, near(s > 0) - 2 * near(s < 0), near(s < 0) - 2 * near(s > 0)), (2, 3)), np.sign(near(s)) * born(abs(near(s))))

random = np.random.default_rng(9)
text = lambda board, marks: "/".join("".join(marks[point] for point in row) for row in board)
for count in range(120):
    rule, generations = 1 + count % 3, [1, 2, 3, 5, 8, 16, 40][count % 7]
    lit = random.random((9, 9)) < random.uniform(0.2, 0.7)
    board = lit * (random.integers(1, 6, (9, 9)) if rule == 1 else random.choice([1, -1], (9, 9)))
    marks, before = ".12345" if rule == 1 else ".GR", board
    for _ in range(generations):
        board = one(board) if rule == 1 else two(board, (lambda n: n == 2) if rule == 2 else (lambda n: n >= 2))
    print(rule, generations, text(before, marks), text(board, marks))
