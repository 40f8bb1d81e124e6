"""Runs a program at a pseudo terminal: what it draws goes to our output, orders come line by line.

Input: one line of JSON, {"command": [...], "env": {...}, "cwd": "...", "rows": 30, "columns": 80}, then
`size ROWS COLUMNS`, `interrupt`, `type "KEYS"` (JSON). Ends with the program's exit code, or 128 and its signal.
"""
import fcntl
import json
import os
import pty
import select
import struct
import sys
import termios


def resize(terminal, rows, columns):
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))


def read_line():
    line = b""
    while not line.endswith(b"\n"):
        piece = os.read(0, 1)
        if piece == b"":
            return None
        line += piece
    return line.decode().strip()


order = json.loads(read_line())
child, terminal = pty.fork()
if child == 0:
    resize(0, order["rows"], order["columns"])
    os.chdir(order["cwd"])
    os.execve(order["command"][0], order["command"], order["env"])

sources = [terminal, 0]
while True:
    ready, _, _ = select.select(sources, [], [])
    if terminal in ready:
        try:
            drawn = os.read(terminal, 65536)
        except OSError:
            drawn = b""
        if drawn == b"":
            break
        os.write(1, drawn)
    if 0 in ready:
        said = read_line()
        if said is None:
            sources.remove(0)
        elif said == "interrupt":
            os.write(terminal, b"\x03")
        elif said.startswith("type "):
            os.write(terminal, json.loads(said[5:]).encode())
        else:
            _, rows, columns = said.split()
            resize(terminal, int(rows), int(columns))
_, status = os.waitpid(child, 0)
sys.exit(os.waitstatus_to_exitcode(status) if os.WIFEXITED(status) else 128 + os.WTERMSIG(status))
