"""Turns the C functions of a map into one program without calls: values have names, each branch is a choice."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from pycparser import c_ast

from .headers import Source
from .values import FALSE, TRUE, TYPES, EmitError, Value, binary, choose, const, convert, literal, op, unary, var

# Functions that every language has in its own words, see languages.py, with the type of arguments and values.
FLOAT64 = ["sqrt", "cbrt", "floor", "ceil", "fmax", "fmin", "pow", "td_rsqrt"]
KNOWN = {name: "f64" for name in FLOAT64} | {f"{name}f": "f32" for name in [*FLOAT64, "fma", "td_cbrt"]}
KNOWN["td_log2_floor"] = "u32"
# Words of the languages, and names that the texts themselves use.
TAKEN = set("and as def double else float if in int is lambda long not or return short unsigned void while".split())
TAKEN |= set("count cuda cupy cute cutlass found grid math max min np numba table tl triton".split())
SINK = object()  # where a table is filled: *table++ = element


@dataclass
class Statement:
    """
    kind: let (a new name gets a value), set (a name gets another one), while and if (values: the condition), or append
    (a launch, or an element, to the list that the function returns)
    """

    kind: str
    values: list[Value]
    name: str = ""
    body: list[Statement] = field(default_factory=list)


@dataclass(eq=False)
class Cell:
    """A variable of C: the value that it has now, and the condition under which it was declared."""

    type: str
    name: str
    value: Any
    mask: Value


@dataclass
class Flattener:
    """
    Executes C with names in place of numbers. Variables are places: a Cell, a dict for a struct, a list for an array.
    A pointer is another name for the place that it points to.

    In every branch, an assignment chooses between the new value and the old one by the branch's condition, the mask.

    is_vector: variables are arrays, and a loop goes on while its condition holds anywhere; result: what the function
    that is being executed has returned so far
    """

    source: Source
    is_vector: bool
    out: list[Any] = field(default_factory=list)
    mask: Value = TRUE
    scope: dict[str, Any] = field(default_factory=dict)
    names: set[str] = field(default_factory=lambda: {*TAKEN, *"xyzn", "p0", "p1", "p2", "p3"})
    cells: list[Cell] = field(default_factory=list)
    result: Any = None

    # ---- variables

    def fresh(self, name: str) -> str:
        found, number = name, 1
        while found in self.names:
            number += 1
            found = f"{name}_{number}"
        self.names.add(found)
        return found

    def atom(self, value: Value, name: str) -> Value:
        """The value, or a new name for it unless it is short."""
        if value.is_short:
            return value
        name = self.fresh(name)
        self.out.append(Statement("let", [value], name))
        return var(value.type, name)

    def storage(self, node: c_ast.Node, name: str) -> Any:
        """A place for a declared type."""
        match node:
            case c_ast.ArrayDecl():
                return [self.storage(node.type, f"{name}{i}") for i in range(int(node.dim.value))]
            case c_ast.TypeDecl(type=c_ast.Struct(decls=decls)) if decls:
                return {one.name: self.storage(one.type, one.name) for one in decls}
            case c_ast.TypeDecl(type=c_ast.IdentifierType(names=names)):
                word = " ".join(names)
            case c_ast.TypeDecl(type=c_ast.Enum()):
                word = "uint32_t"
            case _:
                word = "size_t" if isinstance(node, c_ast.PtrDecl) else ""
        if word in TYPES:
            self.cells.append(Cell(TYPES[word], name, None, self.mask))
            return self.cells[-1]
        if word in self.source.defined:
            return self.storage(self.source.defined[word], name)
        raise EmitError(f"has a variable '{name}' of a type that this command does not know")

    def read(self, place: Any) -> Any:
        if isinstance(place, Cell):
            return place.value if place.value is not None else const(place.type, 0)
        if isinstance(place, Value):
            return place
        items = place.items() if isinstance(place, dict) else enumerate(place)
        return {key: self.read(one) for key, one in items}

    def assign(self, place: Any, value: Any) -> None:
        if not isinstance(place, Cell):
            for key, one in value.items():
                self.assign(place[key], one)
            return
        value = convert(value, place.type)
        if place.mask != self.mask and place.value is not None:
            value = choose(self.mask, value, place.value)
        place.value = self.atom(value, place.name)

    # ---- expressions

    def place(self, node: c_ast.Node) -> Any:
        match node:
            case c_ast.ID(name=name):
                return self.scope.get(name, self.source.defined.get(name))
            case c_ast.FuncCall():
                return self.call(node)
            case c_ast.StructRef():
                return self.place(node.name)[node.field.name]
            case c_ast.ArrayRef():
                array, index = self.place(node.name), self.eval(node.subscript)
                if isinstance(array, Cell):  # a pointer to what the host alone has: no program may need it
                    return var("u32", f"{array.name}.array")
                if index.kind == "const":
                    return array[index.args[0]]
            case c_ast.UnaryOp(op="*" | "&"):
                return self.place(node.expr)
        raise EmitError(f"has an expression that this command does not know, at {node.coord}")

    def eval(self, node: c_ast.Node) -> Any:
        match node:
            case c_ast.Constant():
                return literal(node.value, node.type)
            case c_ast.UnaryOp(op="p++" | "p--" | "++" | "--"):
                place = self.place(node.expr)
                before = self.read(place)
                self.assign(place, binary(node.op[-1], before, const("i32", 1)))
                return before if node.op[0] == "p" else self.read(place)
            case c_ast.UnaryOp() if node.op not in "*&":
                return unary(node.op, self.eval(node.expr))
            case c_ast.BinaryOp():
                if node.op in ("&&", "||"):
                    refuse_effects(node.right)
                return binary(node.op, self.eval(node.left), self.eval(node.right))
            case c_ast.TernaryOp():
                condition = self.atom(convert(self.eval(node.cond), "bool"), "test")
                refuse_effects(node.iftrue, node.iffalse)
                return choose(condition, self.eval(node.iftrue), self.eval(node.iffalse))
            case c_ast.Cast():
                value, word = self.eval(node.expr), " ".join(node.to_type.type.type.names)
                return value if word == "void" else convert(value, TYPES[word])
            case c_ast.FuncCall():
                return self.call(node)
            case c_ast.Assignment():
                place, value = self.place(node.lvalue), self.eval(node.rvalue)
                self.assign(place, value if node.op == "=" else binary(node.op[:-1], self.read(place), value))
                return self.read(place)
        return self.read(self.place(node))

    # ---- calls

    def call(self, node: c_ast.FuncCall) -> Any:
        name, arguments = getattr(node.name, "name", ""), node.args.exprs if node.args else []
        match name:
            case c_ast.Node():
                raise EmitError(
                    "has a tree of launches, whose boxes come from functions that are called through pointers"
                )
            case "memcpy":
                to = self.place(arguments[0])
                return self.assign(to, Value("bits", to.type, (self.read(self.place(arguments[1])),)))
            case "td_load_u32":  # &td_launch_table(launch)[index]
                return Value("load", "u32", (convert(self.eval(arguments[0].expr.subscript), "u32"),))
            case "td_launch_over":
                launch = self.read(self.storage(self.source.defined["td_launch"], "launch"))
                return launch | {"grid": dict(zip("xyz", (convert(self.eval(one), "u32") for one in arguments[1:])))}
            case "td_plan_add":
                launch = self.eval(arguments[1])
                return self.append([*launch["grid"].values(), *launch["param"].values()])
            case _ if name in KNOWN:
                values = [convert(self.eval(one), KNOWN[name]) for one in arguments]
                return Value(name, KNOWN[name], tuple(values))
        function = self.source.defined.get(name)
        if not isinstance(function, c_ast.FuncDef):
            raise EmitError(f"calls {name}, which this command does not know")
        pairs = zip(function.decl.type.args.params, arguments)
        return self.inline(name, [self.place(b) if is_pointer(a) else self.eval(b) for a, b in pairs])

    def append(self, values: list[Value]) -> None:
        statement = Statement("append", values)
        self.out.append(statement if self.mask == TRUE else Statement("if", [self.mask], body=[statement]))

    def inline(self, name: str, values: list[Any]) -> Any:
        """What a function returns. values: of its parameters; of those that are pointers, the places"""
        function, before = self.source.defined[name], (self.scope, self.mask, self.result)
        scope: dict[str, Any] = {}
        for parameter, value in zip(function.decl.type.args.params, values):
            scope[parameter.name] = value
            if not is_pointer(parameter):
                scope[parameter.name] = self.storage(parameter.type, parameter.name)
                self.assign(scope[parameter.name], value)
        self.scope, self.result = scope, None
        self.execute(function.body)
        value = self.result
        self.scope, self.mask, self.result = before
        return convert(value, TYPES[function.decl.type.type.type.names[-1]]) if isinstance(value, Value) else value

    # ---- statements

    def execute(self, node: c_ast.Node | None) -> None:
        match node:
            case None | c_ast.EmptyStatement():
                pass
            case c_ast.Compound(block_items=items) | c_ast.DeclList(decls=items):
                scope = self.scope
                if isinstance(node, c_ast.Compound):
                    self.scope = dict(scope)
                for one in items or []:
                    if self.mask != FALSE:
                        self.execute(one)
                self.scope = scope
            case c_ast.Decl():
                self.declare(node)
            case c_ast.Assignment(
                lvalue=c_ast.UnaryOp(op="*", expr=c_ast.UnaryOp(op="p++", expr=pointer)), rvalue=element
            ) if self.place(pointer) is SINK:
                self.append([self.eval(element)])
            case c_ast.If():
                self.branch(node)
            case c_ast.While():
                self.loop(node.cond, node.stmt)
            case c_ast.For():
                test = node.cond or c_ast.Constant("int", "1")
                loop = c_ast.While(test, c_ast.Compound([node.stmt, node.next]))
                self.execute(c_ast.Compound([node.init, loop]))
            case c_ast.Return():
                value = self.eval(node.expr) if node.expr else None
                self.result = value if self.result is None else choose(self.mask, value, self.result)
                self.mask = FALSE
            case c_ast.UnaryOp() | c_ast.FuncCall() | c_ast.Cast() | c_ast.Assignment():
                self.eval(node)
            case _:
                raise EmitError(f"has a statement that this command does not know, at {node.coord}")

    def declare(self, node: c_ast.Decl) -> None:
        place = self.storage(node.type, node.name)
        if isinstance(node.init, c_ast.InitList):
            for one, init in zip(place.values(), node.init.exprs):
                self.assign(one, self.eval(init))
        elif node.init is not None:
            self.assign(place, self.eval(node.init))
        self.scope[node.name] = place

    def branch(self, node: c_ast.If) -> None:
        condition = self.atom(convert(self.eval(node.cond), "bool"), "test")
        entry, rest, has_left = self.mask, [], False
        for where, block in ((condition, node.iftrue), (unary("!", condition), node.iffalse)):
            self.mask = start = self.atom(op("and", entry, where), "test")
            if start != FALSE:
                self.execute(block)
            rest.append(self.mask)
            has_left = has_left or self.mask != start
        self.mask = self.atom(op("or", *rest), "test") if has_left else entry

    # ---- loops

    def loop(self, test: c_ast.Node, body: c_ast.Node) -> None:
        def goes_on() -> Value:
            return op("and", entry, convert(self.eval(test), "bool"))

        entry = self.mask
        kept = {self.fresh(one.name): one for one in self.changed(test, body)}
        for name, one in kept.items():
            self.out.append(Statement("let", [self.read(one)], name))
            one.value = var(one.type, name)
        before, condition = self.captured(goes_on)
        is_plain = not before and not self.is_vector
        if not is_plain:
            name = self.fresh("active")
            self.out += [*before, Statement("let", [condition], name)]
            condition = var("bool", name)
        self.mask = condition if self.is_vector else TRUE
        statements, _ = self.captured(lambda: self.once(body, kept))
        if not is_plain:
            again, value = self.captured(goes_on)
            statements += [*again, Statement("set", [value], name)]
        self.out.append(Statement("while", [condition], body=statements))
        self.mask = entry

    def once(self, body: c_ast.Node, kept: dict[str, Cell]) -> None:
        """The body, after which the variables that it changes have their names again."""
        mask = self.mask
        self.execute(body)
        if self.mask != mask:
            raise EmitError("leaves a loop by return")
        for name, one in kept.items():
            if one.value.names() & kept.keys() - {name}:
                copy = self.fresh(one.name)  # the value of names that are about to change
                self.out.append(Statement("let", [one.value], copy))
                one.value = var(one.type, copy)
        for name, one in kept.items():
            if one.value != var(one.type, name):
                self.out.append(Statement("set", [one.value], name))
            one.value = var(one.type, name)

    def captured(self, action: Callable[[], Any]) -> tuple[list[Any], Any]:
        """The statements of an action, and what it returns."""
        out, self.out = self.out, []
        result = action()
        statements, self.out = self.out, out
        return statements, result

    def changed(self, test: c_ast.Node, body: c_ast.Node) -> list[Cell]:
        """The variables that a loop changes, found by executing it once with all of them unknown."""
        known = list(self.cells)
        values, names, mask = [one.value for one in known], set(self.names), self.mask
        for i, one in enumerate(known):
            one.value = var(one.type, f"?{i}")
        self.captured(lambda: self.execute(c_ast.Compound([c_ast.If(test, body, None)])))
        found = [one for i, one in enumerate(known) if one.value != var(one.type, f"?{i}")]
        for one, value in zip(known, values):
            one.value = value
        self.names, self.mask = names, mask
        del self.cells[len(known) :]
        return found


def is_pointer(parameter: c_ast.Decl) -> bool:
    return isinstance(parameter.type, c_ast.PtrDecl)


def refuse_effects(*nodes: c_ast.Node) -> None:
    """What C evaluates in one case only is always evaluated here."""
    for node in nodes:
        if isinstance(node, c_ast.Assignment) or (isinstance(node, c_ast.UnaryOp) and node.op[-2:] in ("++", "--")):
            raise EmitError(f"has an assignment behind ?, && or ||, at {node.coord}")
        refuse_effects(*(child for _, child in node.children()))
