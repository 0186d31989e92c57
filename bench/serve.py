#!/usr/bin/env python3
"""How quick `faultline serve` is with many entries: makes a catalogue of 100,000 faults from the real
ones, starts the server on it, measures, and ends with status 1 if a limit is missed.

    bench/serve.py [--entries 100000] [--folder DIR] [--seconds 20]

List pages come at a fixed rate whatever the answers take (open loop); a latency counts from the moment
at which a request was due. Needs wrk for the rate of single faults.
"""

import argparse
import asyncio
import json
import os
import random
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import tomllib
from pathlib import Path

PROJECT = Path(__file__).resolve().parent.parent
RATE = 200  # list pages a second
LIMITS = {"p99": 0.025, "rate": 3000, "memory": 300}
LABELS = {
    "type": "types",
    "category": "categories",
    "fix_pattern": "fix_patterns",
    "symptom": "symptoms",
    "property": "properties",
    "phase": "phases",
    "level": "levels",
}
SYLLABLES = "ba be bo da de do fa fi ga go ka ki la lo ma mi na no pa po ra ri sa so ta ti va vo za zu".split()


def leaves():
    """Scheme → ids of its leaves."""
    found = {}
    for scheme, name in LABELS.items():
        with open(PROJECT / "taxonomy" / f"{name}.toml", "rb") as file:
            found[scheme] = [node["id"] for node in tomllib.load(file)["node"] if node.get("leaf", True)]
    return found


def vocabulary(chance):
    """Invented words; the first of them are used most."""
    words = set()
    while len(words) < 20000:
        words.add("".join(chance.choice(SYLLABLES) for _ in range(chance.randint(2, 5))))
    return sorted(words, key=lambda word: (len(word), word))


def some_words(words, chance, count):
    return [words[int(len(words) * chance.random() ** 3)] for _ in range(count)]


def vary(text, name, framework, labels, words, chance):
    """fault.toml of another fault: its own id, title, labels, split and words."""
    title = " ".join(some_words(words, chance, 5))
    text = re.sub(r'^id\s*=.*$', f'id = "{framework}-{name}"', text, count=1, flags=re.M)
    text = re.sub(r'^(title\s*=\s*"[^"]*)"', lambda m: f'{m[1]}: {title}"', text, count=1, flags=re.M)
    text = re.sub(r'^split\s*=.*$', f'split = "{chance.choice(["dev", "test"])}"', text, count=1, flags=re.M)
    for scheme, ids in labels.items():
        if chance.random() < 0.8:
            text = re.sub(
                rf'^({scheme}\s*)= "[^"]*"', lambda m, ids=ids: f'{m[1]}= "{chance.choice(ids)}"', text, flags=re.M
            )
    note = " ".join(some_words(words, chance, 40))
    return re.sub(r'^note(\s*)= "', lambda m: f'note{m[1]}= "{note} ', text, count=1, flags=re.M)


def make_catalogue(root, entries):
    chance = random.Random(1)
    words = vocabulary(chance)
    labels = leaves()
    (root / "faults").mkdir(parents=True)
    for name in ("taxonomy", "probes", "tools"):
        (root / name).symlink_to(PROJECT / name)
    originals = sorted(path.parent for path in PROJECT.glob("faults/*/*/fault.toml"))
    texts = {folder: (folder / "fault.toml").read_text() for folder in originals}
    files = {
        folder: [path.relative_to(folder) for path in folder.rglob("*")
                 if path.is_file() and path.name != "fault.toml" and "__pycache__" not in path.parts]
        for folder in originals
    }
    # What does not differ is linked to one copy: half a million files need not be written.
    copies = root / "copies"
    for folder in originals:
        shutil.copytree(folder, copies / folder.parent.name / folder.name)
    ids = []
    for i in range(entries):
        folder = originals[i % len(originals)]
        framework = folder.parent.name
        name = f"{folder.name}-{i:06d}"
        made = root / "faults" / framework / name
        made.mkdir(parents=True)
        for file in files[folder]:
            target = made / file
            if len(file.parts) > 1:
                target.parent.mkdir(parents=True, exist_ok=True)
            os.link(copies / framework / folder.name / file, target)
        (made / "fault.toml").write_text(vary(texts[folder], name, framework, labels, words, chance))
        ids.append(f"{framework}-{name}")
    return ids, words, labels


def start(root, home):
    """The server's process, its port, and how long it took until it answered."""
    begun = time.monotonic()
    process = subprocess.Popen(
        [PROJECT / "build/release/faultline", "--root", root, "serve", "--port", "0"],
        env={**os.environ, "FAULTLINE_HOME": str(home)},
        stdout=subprocess.PIPE, text=True)
    for line in process.stdout:
        if found := re.search(r"http://127\.0\.0\.1:(\d+)/\?token=", line):
            return process, int(found[1]), time.monotonic() - begun
    sys.exit("the server did not start")


def peak_memory(process):
    """In MB."""
    status = Path(f"/proc/{process.pid}/status").read_text()
    return int(re.search(r"VmHWM:\s+(\d+)", status)[1]) * 1024 / 1e6


def rest(process):
    """Wait until it has looked at all folders again and only listens."""
    def used():
        fields = Path(f"/proc/{process.pid}/stat").read_text().rsplit(")", 1)[1].split()
        return int(fields[11]) + int(fields[12])  # ticks
    quiet, last = 0, used()
    while quiet < 3:
        time.sleep(1)
        quiet, last = quiet + 1 if used() - last < 5 else 0, used()


def list_pages(words, labels, chance, count):
    """Targets of list pages, each with filters and words."""
    common = ["loss", "model", "tensor", "train", "layer", "data", "optimizer", "batch", "grad", "softmax"]
    pages = []
    for _ in range(count):
        kind = chance.random()
        query = (chance.choice(common) if kind < 0.4 else some_words(words, chance, 1)[0] if kind < 0.7
                 else "+".join(some_words(words, chance, 2)) if kind < 0.85
                 else some_words(words, chance, 1)[0][:3])
        parts = [f"q={query}"]
        parts += [f"framework={name}" for name in chance.sample(["pytorch", "tfjs", "libtorch"], chance.randint(0, 2))]
        if chance.random() < 0.5:
            parts.append(f"type={chance.choice(labels['type']).split('/')[0]}")
        if chance.random() < 0.4:
            parts.append(f"symptom={chance.choice(labels['symptom'])}")
        if chance.random() < 0.3:
            parts.append(f"split={chance.choice(['dev', 'test'])}")
        if chance.random() < 0.7:
            parts.append(f"sort={chance.choice(['id', '-id', 'title', 'type', '-symptom', 'proved'])}")
        if chance.random() < 0.3:
            parts.append(f"offset={chance.choice([50, 100, 500])}")
        pages.append("/api/v1/faults?" + "&".join(parts))
    return pages


async def ask(reader, writer, port, target):
    writer.write(f"GET {target} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nAccept-Encoding: gzip\r\n\r\n".encode())
    head = await reader.readuntil(b"\r\n\r\n")
    if not head.startswith(b"HTTP/1.1 200"):
        raise RuntimeError(f"{target}: {head[:80]!r}")
    length = int(re.search(rb"Content-Length: (\d+)", head)[1])
    return await reader.readexactly(length)


async def open_loop(port, targets, rate):
    """Latencies in seconds, each from the moment the request was due."""
    due = asyncio.Queue()
    latencies = []

    async def worker():
        reader, writer = await asyncio.open_connection("127.0.0.1", port, limit=1 << 24)
        while (item := await due.get()) is not None:
            moment, target = item
            await ask(reader, writer, port, target)
            latencies.append(time.monotonic() - moment)
        writer.close()

    workers = [asyncio.create_task(worker()) for _ in range(64)]
    begun = time.monotonic() + 0.2
    for i, target in enumerate(targets):
        moment = begun + i / rate
        await asyncio.sleep(max(0, moment - time.monotonic()))
        due.put_nowait((moment, target))
    for _ in workers:
        due.put_nowait(None)
    await asyncio.gather(*workers)
    return sorted(latencies)


def at(latencies, share):
    return latencies[min(len(latencies) - 1, int(share * len(latencies)))]


def single_rate(port, ids, seconds, folder):
    """Requests a second for /api/v1/faults/{id}, by wrk."""
    chance = random.Random(3)
    (folder / "ids.txt").write_text("\n".join(chance.sample(ids, min(len(ids), 20000))))
    (folder / "ids.lua").write_text(f"""
local ids = {{}}
for line in io.lines("{folder}/ids.txt") do ids[#ids + 1] = line end
math.randomseed(1)
request = function() return wrk.format("GET", "/api/v1/faults/" .. ids[math.random(#ids)]) end
""")
    answer = subprocess.run(
        ["wrk", "-t1", "-c16", f"-d{seconds}s", "-s", folder / "ids.lua", f"http://127.0.0.1:{port}"],
        capture_output=True, text=True, check=True).stdout
    if "Non-2xx" in answer:
        sys.exit(answer)
    return float(re.search(r"Requests/sec:\s+([\d.]+)", answer)[1])


def listen(port, count):
    """Clients that have opened the stream of events and only wait."""
    clients = []
    for _ in range(count):
        client = socket.create_connection(("127.0.0.1", port))
        client.sendall(f"GET /api/v1/events HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n".encode())
        clients.append(client)
    for client in clients:
        if not client.recv(64).startswith(b"HTTP/1.1 200"):
            sys.exit("a listener was refused")
    return clients


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--entries", type=int, default=100_000)
    options.add_argument("--folder", type=Path, help="keep the catalogue here and use it again")
    options.add_argument("--seconds", type=int, default=20)
    options = options.parse_args()
    kept = options.folder is not None
    folder = options.folder or Path(tempfile.mkdtemp(prefix="faultline-bench-"))
    root, home = folder / "project", folder / "home"
    missed = []
    process = None

    def hold(name, value, limit, unit, at_least=False):
        right = value >= limit if at_least else value < limit
        print(f"  {name:<46} {value:10.1f} {unit:<6} {'at least' if at_least else 'below'} {limit:g}"
              f"{'' if right else '   MISSED'}", flush=True)
        if not right:
            missed.append(name)

    try:
        begun = time.monotonic()
        if (folder / "names.json").exists():
            ids, words, labels = json.loads((folder / "names.json").read_text())
        else:
            ids, words, labels = make_catalogue(root, options.entries)
            (folder / "names.json").write_text(json.dumps((ids, words, labels)))
        print(f"{len(ids)} faults made in {time.monotonic() - begun:.0f} s", flush=True)
        shutil.rmtree(home, ignore_errors=True)

        process, port, seconds = start(root, home)
        print(f"  {'first start: every folder is read':<46} {seconds:10.1f} s")
        hold("peak memory while reading", peak_memory(process), LIMITS["memory"], "MB")
        process.send_signal(signal.SIGINT)
        process.wait()
        process, port, seconds = start(root, home)
        print(f"  {'next start':<46} {seconds:10.1f} s")
        begun = time.monotonic()
        rest(process)
        print(f"  {'all folders were looked at again after':<46} {time.monotonic() - begun - 3:10.1f} s", flush=True)

        chance = random.Random(2)
        for listeners in (0, 500):
            print(f"with {listeners} listeners", flush=True)
            clients = listen(port, listeners)
            targets = list_pages(words, labels, chance, RATE * options.seconds)
            latencies = asyncio.run(open_loop(port, targets, RATE))
            print(f"  {'list page, median':<46} {at(latencies, 0.5) * 1000:10.1f} ms")
            hold(f"list page at {RATE} a second, p99", at(latencies, 0.99) * 1000, LIMITS["p99"] * 1000, "ms")
            print(f"  {'list page, slowest':<46} {latencies[-1] * 1000:10.1f} ms")
            hold("/api/v1/faults/{id}", single_rate(port, ids, max(5, options.seconds // 2), folder),
                 LIMITS["rate"], "/s", at_least=True)
            hold("peak memory", peak_memory(process), LIMITS["memory"], "MB")
            for client in clients:
                client.close()
        process.send_signal(signal.SIGINT)
        begun = time.monotonic()
        process.wait()
        print(f"  {'stopped in':<46} {time.monotonic() - begun:10.1f} s")
    finally:
        if process is not None and process.poll() is None:
            process.kill()
        if not kept:
            shutil.rmtree(folder, ignore_errors=True)
    if missed:
        print("missed: " + ", ".join(missed))
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
