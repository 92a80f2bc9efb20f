"""Optimise once: what a kernel calls is linked into it as it is, and optimised and turned into machine code only there.

Numba would optimise every function for itself, then inline it into its callers and optimise those, so that a rule at
the bottom is worked on once for each way to it: minutes for a kernel that plays with three bots. Here a callee is left
as a piece of LLVM's text (`Callee`), and a kernel (`Kernel`) links all that it reaches, decides what is inlined and
runs the optimiser over the whole. These are private interfaces of Numba: pyproject.toml says which versions are tested.
"""

import hashlib
import re
from collections.abc import Iterator
from typing import Any

import llvmlite.binding as llvm
from llvmlite.binding.newpassmanagers import PassBuilder
from numba.core import config as numba_config
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler
from numba.core.targetconfig import ConfigStack

from ruse.compile.collector import uncollected
from ruse.compile.interrupts import held_back
from ruse.compile.lean import lean

config: Any = numba_config
BUDGET = 30_000  # instructions of a kernel after inlining; beyond, what is copied most often stays a call
WORTH_A_CALL = 500  # instructions that a function must save by staying a call
INSTRUCTION = re.compile(r"^  [^ \]]", re.MULTILINE)  # not the lines of a switch
CALL = re.compile(r"^  [^\"\n]*?\bcall [^@\n]*@\"?([^\"(\n]+)\"?\(", re.MULTILINE)


class Environments:
    """Stands for Numba's code generator where it would set a callee's environment, which has no address yet."""

    def __init__(self, codegen: Any) -> None:
        self.codegen, self.found = codegen, {}  # type: tuple[Any, dict[str, Any]]

    def set_env(self, name: str, environment: Any) -> None:
        self.found[name] = environment

    def __getattr__(self, name: str) -> Any:
        return getattr(self.codegen, name)


class Library(JITCodeLibrary):
    """Numba's own, with one pass manager for all functions of a module; Numba makes one for each, and for those that
    are only named. Functions are tidied, no more: they are optimised in the kernel.
    """

    def _optimize_functions(self, ll_module: Any) -> None:
        ll_module.data_layout = self._codegen._data_layout
        manager, builder = self._codegen._function_pass_manager(opt=1)
        for function in ll_module.functions:
            if not function.is_declaration:
                manager.run(function, builder)


class Callee(Library):
    """The functions of a callee, tidied one by one; never optimised together, never machine code."""

    def __init__(self, codegen: Any, name: str) -> None:
        super().__init__(codegen, name)
        self.environments = Environments(codegen)
        self.whole: Any = None

    @property
    def codegen(self) -> Any:
        return self.environments

    def add_ir_module(self, ir_module: Any) -> None:
        for function in ir_module.functions:
            function.attributes.discard("alwaysinline")  # the kernel decides
        super().add_ir_module(ir_module)

    def finalize(self) -> None:
        for library in self._linking_libraries:
            self._reload_init.update(library._reload_init)
        self._finalize_dynamic_globals()
        self._finalized = True

    def get_pointer_to_function(self, name: str) -> int:
        self._ensure_finalized()
        return 0  # nobody calls it from outside a kernel

    def own_module(self) -> Any:
        """Its own functions, so that they may be linked more than once."""
        return super()._get_module_for_linking()

    def _get_module_for_linking(self) -> Any:
        """For a caller that is none of ours: with all that it calls."""
        if self.whole is None:
            self._ensure_finalized()
            self.whole = self.own_module().clone()
            link_all(self.whole, list(reached(self)))
        return self.whole


class Kernel(Library):
    """A kernel with all that it calls."""

    unrolls = False

    def finalize(self) -> None:
        self._codegen._check_llvm_bugs()
        self._raise_if_finalized()
        module = self._final_module
        own = defined(module)
        libraries = list(reached(self))
        ours = set()
        for library in libraries:
            self._reload_init.update(library._reload_init)
            if isinstance(library, Callee):
                ours |= defined(library.own_module())
        link_all(module, libraries)
        calls, home = calls_among(module, own, ours), hashlib.sha256(min(own).encode()).hexdigest()[:16]
        for function in [f for f in module.functions if not f.is_declaration and f.name in ours - own]:
            function.add_function_attribute("noinline" if function.name in calls else "alwaysinline")
            function.linkage = "internal"
            # LLVM gives such a function another way to be called. Under its old name another module would find it.
            function.name = f"{function.name}.in.{home}"
        self._optimize_final_module()
        module.verify()
        with held_back():
            self._finalize_final_module()
        known = {variable.name for variable in module.global_variables}
        for library in libraries:
            for name, environment in getattr(library, "environments", Environments(None)).found.items():
                if name in known:
                    self.codegen.set_env(name, environment)

    def _optimize_final_module(self) -> None:
        """Numba's two rounds, but loops stay as they are written: they are short, and unrolled they take long."""
        for level in (self._codegen._opt_level, config.OPT):
            builder = tuned(self._codegen._tm, level, unrolls=self.unrolls)
            manager = builder.getModulePassManager()
            if level != config.OPT:
                manager.add_loop_rotate_pass()
                manager.add_instruction_combine_pass()
                manager.add_jump_threading_pass()
            manager.add_refprune_pass()
            manager.run(self._final_module, builder)


class UnrolledKernel(Kernel):
    """One whose loops of a few rounds, of a number that is known, become straight code."""

    unrolls = True


def tuned(machine: Any, level: int, *, unrolls: bool) -> PassBuilder:
    options = llvm.create_pipeline_tuning_options()
    options.speed_level = level
    options.loop_vectorization = options.slp_vectorization = False
    options.loop_unrolling = unrolls
    return llvm.create_pass_builder(machine, options)


def reached(library: Any) -> Iterator[Any]:
    """All libraries that a library calls, each once; those of Numba's own hold all that they call."""
    seen, waiting = set(), list(reversed(library._linking_libraries))
    while waiting:
        found = waiting.pop()
        if found not in seen:
            seen.add(found)
            yield found
            if isinstance(found, Callee):
                waiting.extend(reversed(found._linking_libraries))


def linked(library: Any) -> Any:
    return library.own_module() if isinstance(library, Callee) else library._get_module_for_linking()


def link_all(module: Any, libraries: list[Any]) -> None:
    """Link libraries into a module, and again those that were linked before anybody asked for them.

    LLVM leaves out a function that is asked for by nobody yet. So it is with one whose first caller does not call it
    after all, because the call stands behind what is known to be false; the next caller would call nothing.
    """
    for library in libraries:
        module.link_in(linked(library), preserve=True)
    while late := _late(libraries, declared(module)):
        for library in late:
            module.link_in(linked(library), preserve=True)


def _late(libraries: list[Any], missing: set[str]) -> list[Any]:
    return [library for library in libraries if not missing.isdisjoint(defined(linked(library)))]


def defined(module: Any) -> set[str]:
    return {function.name for function in module.functions if not function.is_declaration}


def declared(module: Any) -> set[str]:
    """What is called, or named, and not there."""
    return {function.name for function in module.functions if function.is_declaration}


def calls_among(module: Any, own: set[str], ours: set[str]) -> set[str]:
    """The functions that stay calls, so that the kernel does not outgrow its budget: those whose copies cost most."""
    size, calls = _graph(module)
    roots = [name for name in size if name in own]
    order = _callees_first(roots, calls)
    kept: set[str] = set()
    while True:
        flat: dict[str, int] = {}  # instructions after inlining
        for name in order:
            flat[name] = size[name] + sum(flat[callee] for callee in calls[name] if callee not in kept)
        copies = dict.fromkeys([*roots, *kept], 1)
        for name in reversed(order):
            for callee in calls[name]:
                if callee not in kept:
                    copies[callee] = copies.get(callee, 0) + copies.get(name, 0)
        if sum(flat[name] for name in {*roots, *kept}) <= BUDGET:
            return kept
        candidates = [name for name in order if name in ours and name not in own and name not in kept]
        gain = {name: (copies.get(name, 0) - 1) * flat[name] for name in candidates}
        best = max(candidates, key=gain.__getitem__, default=None)
        if best is None or gain[best] < WORTH_A_CALL:
            return kept
        kept.add(best)


def _graph(module: Any) -> tuple[dict[str, int], dict[str, list[str]]]:
    """How many instructions each function has, and which functions it calls, as often as it does."""
    # From LLVM's text: asking for one instruction after the other takes ten times as long.
    texts = {f.name: str(f) for f in module.functions if not f.is_declaration}
    size = {name: len(INSTRUCTION.findall(text)) for name, text in texts.items()}
    return size, {name: [f for f in CALL.findall(text) if f in texts] for name, text in texts.items()}


def _callees_first(roots: list[str], calls: dict[str, list[str]]) -> list[str]:
    order: list[str] = []
    seen: set[str] = set()

    def visit(name: str) -> None:
        if name not in seen:
            seen.add(name)
            for callee in calls[name]:
                visit(callee)
            order.append(name)

    for root in roots:
        visit(root)
    return order


class Pipeline(Compiler):
    """Numba's own pipeline, writing into a library of ours; bounds are checked in a callee if they are in its caller.

    Numba itself asks each function for itself.
    """

    library: Any = None

    def __init__(
        self, typing: Any, target: Any, library: Any, args: Any, returned: Any, flags: Any, local: Any
    ) -> None:
        above = ConfigStack.top_or_none()
        if above is not None and above.boundscheck:
            flags.boundscheck = True
        super().__init__(typing, target, library, args, returned, flags, local)

    def compile_extra(self, function: Any) -> Any:
        if self.state.library is None:
            self.state.library = self.library(self.state.targetctx.codegen(), function.__qualname__)
            self.state.library.enable_object_caching()
        return super().compile_extra(function)


class CalleePipeline(Pipeline):
    """For what kernels call."""

    library = Callee


class KernelPipeline(Pipeline):
    """For kernels."""

    library: Any = Kernel

    def compile_extra(self, function: Any) -> Any:
        with uncollected(), lean():
            return super().compile_extra(function)


class UnrolledPipeline(KernelPipeline):
    """For kernels of lanes."""

    library = UnrolledKernel
