"""One clean run that tells what variants will be compared with.

    reference.py states|values ORDER_FILE

`states`: the digest of the program's state and the CPU time at each checkpoint. `values`: in which
segments each variant can differ from the clean program, and which functions are called before the
program's first line. The order is that of template.py, with the segments that execute each line. The
answer is JSON, written to $FAULTLINE_RESULT_FD.
"""

__faultline__ = True

import json
import os
import sys

sys.path[0] = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
from faultline_campaign import clocks, state, values  # noqa: E402
from faultline_campaign.template import Template  # noqa: E402


class Reference(Template):
    def __init__(self, what, order, result_fd):
        super().__init__(None, order)
        self.what = what
        self.result_fd = result_fd
        self.digests, self.cpu_at, self.wall_at = [], [], []
        self.early = set()
        self.watch = values.Watch()
        self.variants = []
        self.names = {}  # stub number → file:function
        self.main_began = False

    def prepare(self):
        if self.what == "states":
            self.order["variants"] = []
        super().prepare()
        import builtins

        builtins._faultline_watch = self.watch.evaluate

    def lay_out(self):
        os.chdir(self.root)  # the job's own files are there

    def sort_in(self, variant, source):
        """Every function with variants is asked whether it is called before the program begins."""
        self.variants.append(variant)
        place = variant.place
        if place.kind == "module":
            return
        stubs = self.stubs.setdefault(variant.file, [])
        number = next((n for f, n in stubs if f is place.function), None)
        if number is None:
            number = sum(map(len, self.stubs.values()))
            stubs.append((place.function, number))
            self.names[number] = f"{variant.file}:{place.function.qualified}"
        self.at_function.setdefault(number, []).append(variant)

    def compile(self, file, path, changed):
        source = self.sources[file]
        watched = [(v.number, *v.edits[0]) for v in self.variants
                   if v.file == file and v.place.kind == "function" and self.is_single(v)]
        if watched:
            watcher = values.Watcher(source, self.watch, watched)
            watcher.visit(source.tree)
        return super().compile(file, path, None)

    def is_single(self, variant):
        return len(variant.edits) == 1 and self.order["variants"][variant.number]["early"]

    def enter_function(self, number, code):
        import builtins

        if not self.main_began:
            self.early.add(self.names[number])
        setattr(builtins, f"_faultline_enter_{number}", None)
        return False

    def enter_main(self):
        self.main_began = True

    def pass_checkpoint(self, frame, value):
        self.passed += 1
        self.watch.segment += 1
        if self.what == "states":
            before = clocks.real_cpu()
            began = clocks.real_perf()
            digest = state.take(frame, self.program_modules())
            digest.add(value)
            self.digests.append(digest.text())
            clocks.hide_cpu(clocks.real_cpu() - before)
            clocks.stand_still(clocks.real_perf() - began)
            self.cpu_at.append(clocks.cpu())
            self.wall_at.append(clocks.real_perf() - clocks._still - self.began)

    def segments_of(self, variant):
        """The segments in which a variant can differ; None if that cannot be said."""
        place = variant.place
        if place.kind == "module" or not self.order["variants"][variant.number]["early"]:
            return None
        if variant.number in self.watch.differs:
            return sorted(self.watch.differs[variant.number])
        source = self.sources[variant.file]
        lines = self.order["segments"].get(variant.file)
        if lines is None:
            return None
        if place.kind == "defaults":
            wanted = range(place.function.body[0].lineno, place.function.end_lineno + 1)
        else:
            wanted = [source.line_of(begin) for begin, _, _ in variant.edits]
            if not all(str(line) in lines for line in wanted):
                return None
        return sorted({s for line in wanted for s in lines.get(str(line), [])})

    def fail(self, error):
        raise error

    def end(self, status, crash):
        answer = {"checkpoints": self.passed, "status": status, "json": self.written()}
        if self.what == "states":
            answer.update(digests=self.digests, cpu_at=self.cpu_at, wall_at=self.wall_at,
                          cpu=clocks.cpu(), wall=clocks.real_perf() - clocks._still - self.began)
        else:
            answer.update(early=sorted(self.early), differs=[self.segments_of(v) for v in self.variants])
        with os.fdopen(self.result_fd, "w") as stream:
            json.dump(answer, stream)
        sys.stdout.flush()
        os._exit(status)


def main():
    with open(sys.argv[2]) as stream:
        order = json.load(stream)
    result_fd = int(os.environ["FAULTLINE_RESULT_FD"])
    Reference(sys.argv[1], order, result_fd).run()


if __name__ == "__main__":
    main()
