# Runs one script from the bytes that were confirmed, in either runtime. The
# caller appends a call of boot() with the script as literals.
import sys
from importlib.machinery import ModuleSpec


class Confirmed:
    """Finds the local modules among the bytes that were hashed, never on disk."""

    def __init__(self, modules):
        self.modules = modules

    def find_spec(self, name, path=None, target=None):
        if name not in self.modules:
            return None
        filename, _, package = self.modules[name]
        spec = ModuleSpec(name, self, origin=filename, is_package=package)
        spec.has_location = filename is not None
        return spec

    def create_module(self, spec):
        return None

    def exec_module(self, module):
        filename, text, _ = self.modules[module.__name__]
        if filename is not None:
            exec(compile(text, filename, "exec", dont_inherit=True), module.__dict__)


def limit(kind, soft, hard):
    import resource

    kind = getattr(resource, kind, None)
    if kind is None:
        return
    _, ceiling = resource.getrlimit(kind)
    if ceiling != resource.RLIM_INFINITY:
        soft, hard = min(soft, ceiling), min(hard, ceiling)
    try:
        resource.setrlimit(kind, (soft, hard))
    except (ValueError, OSError):
        pass  # this system does not know the limit; the wall clock still holds


def mend_sleep():
    """WASI here knows no sleep until a moment, which is how time.sleep is made."""
    import select
    import time

    time.sleep = lambda seconds: select.select([], [], [], seconds) and None


def boot(filename, text, modules, seconds, memory, args=(), files=0, work=None):
    try:
        if seconds:
            limit("RLIMIT_CPU", seconds, seconds + 1)
            limit("RLIMIT_AS", memory, memory)
            limit("RLIMIT_CORE", 0, 0)
            if files:
                limit("RLIMIT_FSIZE", files, files)
    except ImportError:
        pass  # Windows
    if sys.platform == "wasi":
        mend_sleep()
    if work:
        import os

        os.chdir(work)
    sys.argv = [filename, *args]
    sys.dont_write_bytecode = True
    sys.meta_path.insert(0, Confirmed(modules))
    main = type(sys)("__main__")
    main.__file__ = filename
    sys.modules["__main__"] = main
    try:
        exec(compile(text, filename, "exec", dont_inherit=True), main.__dict__)
    except SystemExit:
        raise
    except BaseException as error:
        # Without the frame of this file, which says nothing to the reader.
        trace = error.__traceback__.tb_next
        sys.excepthook(type(error), error.with_traceback(trace), trace)
        sys.exit(1)
