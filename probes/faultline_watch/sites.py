"""Lines of the program: which frames are its own, and how they are named."""

import linecache
import os
import sys
import sysconfig

PROBE = os.path.dirname(os.path.abspath(__file__)) + os.sep


class Sites:
    def __init__(self, framework_folder):
        self.folder = os.getcwd()
        self.framework = framework_folder + os.sep
        paths = sysconfig.get_paths()
        self.libraries = tuple(
            path + os.sep for path in {paths["stdlib"], paths["platstdlib"], paths["purelib"], paths["platlib"]}
        ) + ("/usr/lib/python3/", "/usr/local/lib/python3")
        self.kinds = {}
        self.sites = {}

    def kind(self, filename):
        """Whose file it is: "program", "framework", "library" or "probe"."""
        kind = self.kinds.get(filename)
        if kind is None:
            kind = self.kinds[filename] = self._kind(filename)
        return kind

    def _kind(self, filename):
        if filename.startswith(PROBE):
            return "probe"
        if filename.startswith(self.framework):
            return "framework"
        if filename.startswith(("<", *self.libraries)):
            return "library"
        if f"{os.sep}site-packages{os.sep}" in filename or f"{os.sep}dist-packages{os.sep}" in filename:
            return "library"
        return "program"

    def site(self, filename, line):
        key = (filename, line)
        site = self.sites.get(key)
        if site is None:
            path = os.path.abspath(os.path.join(self.folder, filename))
            inside = path.startswith(self.folder.rstrip(os.sep) + os.sep)
            site = self.sites[key] = {
                "file": os.path.relpath(path, self.folder) if inside else path,
                "line": line,
                "text": linecache.getline(path, line).strip(),
            }
        return site

    def here(self, made=None, outside_models=False):
        """The innermost line of the program; for an object under construction, outside its own __init__;
        `outside_models`: outside of methods called `forward`."""
        frame = sys._getframe(1)
        library = None
        while frame is not None:
            code = frame.f_code
            kind = self.kind(code.co_filename)
            if kind == "program":
                if not (made is not None and _constructs(frame, made) or outside_models and code.co_name == "forward"):
                    return self.site(code.co_filename, frame.f_lineno)
            elif kind == "library" and library is None and not code.co_filename.startswith("<"):
                library = (code.co_filename, frame.f_lineno)
            frame = frame.f_back
        return self.site(*library) if library else {"file": "", "line": 0, "text": ""}

    def line(self):
        """What tells the innermost line of the program from others, quickly."""
        frame = self._innermost(sys._getframe(1))
        return (frame.f_code, frame.f_lineno) if frame is not None else None

    def call(self):
        """What tells the innermost call of the program from others, also of the same line."""
        frame = self._innermost(sys._getframe(1))
        return (frame.f_code, frame.f_lasti) if frame is not None else None

    def _innermost(self, frame):
        """The innermost frame of the program."""
        kinds = self.kinds
        while frame is not None:
            filename = frame.f_code.co_filename
            if (kinds.get(filename) or self.kind(filename)) == "program":
                return frame
            frame = frame.f_back
        return None

    def program_called(self):
        """Whether the program itself called the function of torch that is running, or a layer of torch did."""
        frame = sys._getframe(2)
        while frame is not None:
            filename = frame.f_code.co_filename
            kind = self.kind(filename)
            if kind == "program":
                return True
            if kind == "framework" and filename.startswith(self.framework + "nn" + os.sep + "modules"):
                return False
            frame = frame.f_back
        return False


def _constructs(frame, made):
    code = frame.f_code
    return (code.co_name == "__init__" and code.co_argcount > 0
            and frame.f_locals.get(code.co_varnames[0]) is made)
