"""Says where an object of a pass comes from, as far as its text shows: it tells objects that are no tensors."""

from __future__ import annotations

import ast
import math

from passnet.rewrite.policy.bindings import Bindings, own_bindings
from passnet.rewrite.policy.names import MEMOISERS
from passnet.rewrite.policy.view import FUNCTIONS, FileView

_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
_SCOPES = (*FUNCTIONS, ast.Lambda, ast.ClassDef, *_COMPREHENSIONS)
_IMPORTS = (ast.Import, ast.ImportFrom)
_LIBRARIES = frozenset({"passnet.kernels.cpp", "passnet.kernels.cuda"})
# Functions of others that give objects with methods or attributes of a tensor's names.
_MAKERS = _LIBRARIES | {"ctypes.CDLL", "torch.finfo", "torch.iinfo"}
# What a class may be made of and still give objects of its own.
_PLAIN_BASES = frozenset({"typing.NamedTuple", "typing_extensions.NamedTuple"})
# A name that is bound more often is taken for anything.
_MOST_VALUES = 8
_Values = tuple[ast.AST | None, ...]


class Origins:
    """What the names of one file hold, scope by scope."""

    def __init__(self, view: FileView) -> None:
        self._view = view
        self._scopes: dict[ast.AST, Bindings] = {}
        self._answers: dict[ast.AST, bool] = {}
        self._known: dict[tuple[ast.AST, bool, str], _Values | None] = {}
        # A generator outside functions binds the first for the whole file, and may do so in a later call.
        self._late = {node.target.id for node in view.nodes if isinstance(node, ast.NamedExpr)}
        self._late.update(
            name for node in view.nodes if isinstance(node, (ast.Global, ast.Nonlocal)) for name in node.names
        )

    def shows(self, method: ast.Attribute) -> bool:
        """Whether the object whose method this is is no tensor: a module, a class or an object that the file names at
        its top, or one that is made by a class of the file or as a library of kernels. What such an object holds may be
        a tensor.
        """
        root, depth = method.value, 0
        while isinstance(root, ast.Attribute):
            root, depth = root.value, depth + 1
        if isinstance(root, ast.Call):
            return depth == 0 and self._makes(root)
        if not isinstance(root, ast.Name) or root.id in self._late:
            return False
        values = self._bound_around(root)
        if values is not None:
            return depth == 0 and all(isinstance(value, ast.Call) and self._makes(value) for value in values)
        held = self._reached(root.id)
        return held is not None and depth <= held and (held == math.inf or method.attr not in self._view.modules.stored)

    def launches(self, call: ast.Call) -> bool:
        """Whether a call runs a kernel with what it is given: numbers, tensors, and nothing that would be called."""
        if isinstance(call.func, ast.Subscript):
            return isinstance(call.func.slice, ast.Tuple) and self._is_plain_kernel(call.func.value)
        if isinstance(call.func, ast.Name):
            values = self._values(call.func)
            return bool(values) and all(isinstance(v, ast.Attribute) and self._is_library(v.value) for v in values)
        return isinstance(call.func, ast.Attribute) and self._is_library(call.func.value)

    def _is_plain_kernel(self, node: ast.expr) -> bool:
        """Whether this is a kernel of the file that Triton launches without asking functions of the file first."""
        if not isinstance(node, ast.Name) or not self._is_bound_once(node):
            return False
        found = self._view.defined(node.id)
        return len(found) == 1 and self._view.decorators(found[0]) == ["triton.jit"]

    def _is_library(self, node: ast.AST, *, functions: bool = True) -> bool:
        """Whether this is a library of kernels, or a name that is bound to such libraries alone.

        `functions`: functions of the file that give libraries count too.
        """
        values = (node,) if isinstance(node, ast.Call) else self._values(node) if isinstance(node, ast.Name) else ()
        return bool(values) and all(
            isinstance(value, ast.Call)
            and (self._foreign(value.func) in _LIBRARIES or (functions and self._is_library_function(value.func)))
            for value in values
        )

    def _is_library_function(self, node: ast.expr) -> bool:
        """Whether this is a function of the file that returns libraries of kernels alone. A cache may keep them."""
        if not isinstance(node, ast.Name) or not self._is_bound_once(node) or len(self._view.defined(node.id)) != 1:
            return False
        (function,) = self._view.defined(node.id)
        if function not in self._answers:
            returned = [inner.value for inner in ast.walk(function) if isinstance(inner, ast.Return)]
            kept = all(name in MEMOISERS for name in self._view.decorators(function))
            made = bool(returned) and all(v is not None and self._is_library(v, functions=False) for v in returned)
            self._answers[function] = kept and made
        return self._answers[function]

    def _values(self, name: ast.Name) -> _Values:
        """All that a name may hold. Empty when its file is not this one, or another scope may bind it later."""
        if name.id in self._late:
            return ()
        around = self._bound_around(name)
        values = self._view.bound.get(name.id, ()) if around is None else around
        return values if len(values) <= _MOST_VALUES else ()

    def _makes(self, call: ast.Call) -> bool:
        """Whether a call gives an object that is no tensor."""
        if self._foreign(call.func) in _MAKERS or self._is_library(call):
            return True
        if not isinstance(call.func, ast.Name) or not self._is_bound_once(call.func):
            return False
        (value,) = self._view.bound[call.func.id]
        classes = self._view.classes.get(call.func.id, [])
        record = isinstance(value, ast.Call) and self._foreign(value.func) == "collections.namedtuple"
        return record or (len(classes) == 1 and self._is_plain_class(classes[0]))

    def _is_bound_once(self, name: ast.Name) -> bool:
        """Whether a name is of the file, and bound by one statement there."""
        values = self._view.bound.get(name.id, ())
        return len(values) == 1 and name.id not in self._late and self._bound_around(name) is None

    def _foreign(self, reference: ast.expr) -> str | None:
        """The dotted name of what is taken from another library, where nothing else can be meant."""
        root = reference
        while isinstance(root, ast.Attribute):
            root = root.value
        if not isinstance(root, ast.Name) or self._bound_around(root) is not None or root.id in self._late:
            return None
        module = self._view.imports.get(root.id, "").partition(".")[0]
        only_imported = all(isinstance(value, _IMPORTS) for value in self._view.bound.get(root.id, ()))
        return self._view.dotted(reference) if module not in self._view.siblings and only_imported else None

    def _is_plain_class(self, made: ast.ClassDef) -> bool:
        """Whether calling a class gives an object of it."""
        if made not in self._answers:
            decorators = [item.func if isinstance(item, ast.Call) else item for item in made.decorator_list]
            plain = all(self._foreign(item) == "dataclasses.dataclass" for item in decorators)
            own = plain and not made.keywords and all(self._foreign(base) in _PLAIN_BASES for base in made.bases)
            self._answers[made] = own and not any(getattr(inner, "name", "") == "__new__" for inner in ast.walk(made))
        return self._answers[made]

    def _bound_around(self, name: ast.Name) -> _Values | None:
        """What the nearest scope around a name binds it to. None when it is a name of the file, or of an import."""
        scope, passed = self._scope_around(name)
        way: list[tuple[ast.AST, bool, str]] = []
        found: _Values | None = None
        while scope is not None and found is None:
            place = (scope, passed, name.id)
            if place in self._known:
                found = self._known[place]
                break
            way.append(place)
            found = self._bound_in(scope, passed, name.id)
            scope, passed = self._scope_around(scope)
        self._known.update(dict.fromkeys(way, found))
        return found

    def _bound_in(self, scope: ast.AST, passed: bool, name: str) -> _Values | None:
        """What a scope binds a name to, for what is in its body (`passed`) or in another part of it.

        The body of a class binds no name for its methods, and that of a function none for its defaults and decorators.
        What they bind is then unknown. An import means the same everywhere.
        """
        values = self._bindings(scope).get(name)
        if values is None or all(isinstance(value, _IMPORTS) for value in values):
            return None
        told = passed and isinstance(scope, FUNCTIONS) and len(values) <= _MOST_VALUES
        return values if told else (None,)

    def _scope_around(self, node: ast.AST) -> tuple[ast.AST | None, bool]:
        """The scope that a node is in, and whether it is in a statement of its body. None outside functions."""
        around = self._view.parents.get(node)
        while around is not None and not isinstance(around, _SCOPES):
            node, around = around, self._view.parents.get(around)
        return around, isinstance(node, ast.stmt)

    def _bindings(self, scope: ast.AST) -> Bindings:
        if scope not in self._scopes:
            inner = [part.target for part in scope.generators] if isinstance(scope, _COMPREHENSIONS) else []
            names = {node.id for target in inner for node in ast.walk(target) if isinstance(node, ast.Name)}
            given: Bindings = dict.fromkeys(names | self._view.parameters(scope), (None,))
            made = own_bindings(scope.body) if isinstance(scope, (*FUNCTIONS, ast.ClassDef)) else {}
            both = {name: (*given[name], *made[name]) for name in given.keys() & made.keys()}
            self._scopes[scope] = {**given, **made, **both}
        return self._scopes[scope]

    def _reached(self, name: str) -> float | None:
        """How many attributes after a name of the file still lead to no value of an object: none of an object of the
        set, one of a module of it, any of another module. None for other names.
        """
        if name in self._view.imports:
            module, *inner = self._view.imports[name].lstrip(".").split(".")
            return 1 - len(inner) if module in self._view.siblings else math.inf
        return 0 if name in self._view.bound else None
