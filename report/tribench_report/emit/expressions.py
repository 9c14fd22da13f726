"""Evaluates the expressions of C functions with names in place of numbers, and calls in place."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from pycparser import c_ast

from .errors import EmitError
from .headers import Source
from .statements import Append, Let
from .values import TRUE, TYPES, Value, binary, const, convert, literal, select, unary, var

# Functions that every language has in its own words, see languages.py, with the type of arguments and values.
FLOAT64 = ["sqrt", "cbrt", "floor", "ceil", "fmax", "fmin", "pow", "td_rsqrt"]
KNOWN = {name: "f64" for name in FLOAT64} | {f"{name}f": "f32" for name in [*FLOAT64, "fma", "td_cbrt"]}
KNOWN["td_log2_floor"] = "u32"
# Words of the languages, and names that the texts themselves use.
TAKEN = set("and as def double else float if in int is lambda long not or return short unsigned void while".split())
TAKEN |= set("count cuda cupy cute cutlass found grid math max min np numba table tl triton".split())


@dataclass(eq=False)
class Cell:
    """A variable of C: the value that it has now, and the condition under which it was declared."""

    type: str
    name: str
    value: Any
    mask: Value


@dataclass(frozen=True)
class Ref:
    """A pointer to a variable, a struct or an array; to an element of the table; or to where a table is filled."""

    to: Any


TABLE, SINK = Ref("table"), Ref("sink")


@dataclass
class Frame:
    """A function that is being executed."""

    entry: Value
    value: Any = None


@dataclass
class Expressions:
    """
    Evaluates C with names in place of numbers.

    In every branch, an assignment chooses between the new value and the old one by the branch's condition, the mask.

    is_vector: variables are arrays, and a loop goes on while its condition holds anywhere
    """

    source: Source
    is_vector: bool
    out: list[Any] = field(default_factory=list)
    launches: list[Any] = field(default_factory=list)
    changing: set[str] = field(default_factory=set)
    mask: Value = TRUE
    scope: dict[str, Any] = field(default_factory=dict)
    names: set[str] = field(default_factory=lambda: set(TAKEN))
    cells: list[Cell] = field(default_factory=list)
    stack: list[str] = field(default_factory=list)
    frame: Frame = field(default_factory=lambda: Frame(TRUE))
    depth: int = 0

    # ---- variables

    def fresh(self, name: str) -> str:
        found, number = name, 1
        while found in self.names:
            number += 1
            found = f"{name}_{number}"
        self.names.add(found)
        return found

    def atom(self, value: Value, name: str) -> Value:
        """The value, or a new name for it."""
        if value.is_atom:
            return value
        name = self.fresh(name)
        self.out.append(Let(name, value))
        return var(value.type, name)

    def cell(self, type: str, name: str, value: Any = None) -> Cell:
        self.cells.append(Cell(type, name, value, self.mask))
        return self.cells[-1]

    def storage(self, node: c_ast.Node, name: str) -> Any:
        """Variables for a declared type: a cell, a dict for a struct, a list for an array."""
        match node:
            case c_ast.PtrDecl():
                return self.cell("pointer", name)
            case c_ast.ArrayDecl():
                return [self.storage(node.type, f"{name}{i}") for i in range(int(node.dim.value))]
            case c_ast.TypeDecl(type=c_ast.IdentifierType(names=names)):
                word = " ".join(names)
                if word in TYPES:
                    return self.cell(TYPES[word], name)
                if word in self.source.structs:
                    return self.storage(self.source.structs[word], name)
            case c_ast.TypeDecl(type=c_ast.Enum()):
                return self.cell("i32", name)
            case c_ast.TypeDecl(type=c_ast.Struct(decls=decls)) if decls:
                return {one.name: self.storage(one.type, one.name) for one in decls}
        raise EmitError(f"has a variable '{name}' of a type that this command does not know")

    def read(self, place: Any) -> Any:
        if isinstance(place, Cell):
            return place.value if place.value is not None else const(place.type, 0)
        items = place.items() if isinstance(place, dict) else enumerate(place)
        return {key: self.read(one) for key, one in items}

    def assign(self, place: Any, value: Any, is_new: bool = False) -> None:
        if not isinstance(place, Cell):
            for key, one in value.items():
                self.assign(place[key], one, is_new)
        elif place.type == "pointer":
            place.value = value
        else:
            value = convert(value, place.type)
            if not is_new and place.mask != self.mask and place.value is not None:
                value = select(self.mask, value, place.value)
            place.value = self.atom(value, place.name)

    # ---- expressions

    def place(self, node: c_ast.Node) -> Any:
        match node:
            case c_ast.ID(name=name) if name in self.scope:
                return self.scope[name]
            case c_ast.StructRef(type="->"):
                return self.eval(node.name).to[node.field.name]
            case c_ast.StructRef() if not isinstance(node.name, c_ast.FuncCall):
                return self.place(node.name)[node.field.name]
            case c_ast.ArrayRef():
                index = self.eval(node.subscript)
                if index.kind == "const":
                    return self.place(node.name)[index.args[0]]
            case c_ast.UnaryOp(op="*"):
                return self.eval(node.expr).to
        raise EmitError(f"has an expression that this command does not know, at {node.coord}")

    def eval(self, node: c_ast.Node) -> Any:
        match node:
            case c_ast.Constant():
                return literal(node.value, node.type)
            case c_ast.UnaryOp(op="&", expr=c_ast.ArrayRef(name=c_ast.FuncCall() as table)):
                return Ref(self.eval(node.expr.subscript)) if self.eval(table) is TABLE else None
            case c_ast.UnaryOp(op="&", expr=c_ast.ID(name=name)) if name not in self.scope:
                return Ref(name)  # a descriptor
            case c_ast.UnaryOp(op="&"):
                return Ref(self.place(node.expr))
            case c_ast.UnaryOp(op="p++" | "p--" | "++" | "--"):
                place = self.place(node.expr)
                before = self.read(place)
                self.assign(place, binary(node.op[-1], before, const("i32", 1)))
                return before if node.op[0] == "p" else self.read(place)
            case c_ast.UnaryOp() if node.op != "*":
                return unary(node.op, self.eval(node.expr))
            case c_ast.BinaryOp():
                if node.op in ("&&", "||"):
                    refuse_effects(node.right)
                return binary(node.op, self.eval(node.left), self.eval(node.right))
            case c_ast.TernaryOp():
                condition = self.atom(convert(self.eval(node.cond), "bool"), "test")
                refuse_effects(node.iftrue, node.iffalse)
                return self.choose(condition, self.eval(node.iftrue), self.eval(node.iffalse))
            case c_ast.Cast():
                return self.cast(node)
            case c_ast.FuncCall():
                return self.call(node)
            case c_ast.StructRef(type=".", name=c_ast.FuncCall()):
                return self.eval(node.name)[node.field.name]
            case c_ast.Assignment():
                self.set(node)
                return self.read(self.place(node.lvalue))
        return self.read(self.place(node))

    def choose(self, condition: Value, yes: Any, no: Any) -> Any:
        """One of two values of C, or of two structs."""
        if isinstance(yes, dict):
            return {key: self.choose(condition, one, no[key]) for key, one in yes.items()}
        if not isinstance(yes, Value) or yes.type == no.type:
            return select(condition, yes, no) if isinstance(yes, Value) else yes
        type = binary("+", yes, no).type
        return select(condition, convert(yes, type), convert(no, type))

    def cast(self, node: c_ast.Cast) -> Any:
        value, type = self.eval(node.expr), node.to_type.type
        if isinstance(value, Value) and isinstance(type, c_ast.TypeDecl):
            word = " ".join(type.type.names)
            if word != "void":
                value = convert(value, TYPES[word])
        return value

    def set(self, node: c_ast.Assignment) -> None:
        match node.lvalue:
            case c_ast.UnaryOp(op="*", expr=c_ast.UnaryOp(op="p++", expr=pointer)) if self.eval(pointer) is SINK:
                self.out.append(Append([self.eval(node.rvalue)], self.mask))
                return
        place, value = self.place(node.lvalue), self.eval(node.rvalue)
        self.assign(place, value if node.op == "=" else binary(node.op[:-1], self.read(place), value))

    # ---- calls

    def call(self, node: c_ast.FuncCall) -> Any:
        name = getattr(node.name, "name", None)
        if not isinstance(name, str):
            raise EmitError("has a tree of launches, whose boxes come from functions that are called through pointers")
        values = [self.eval(one) for one in node.args.exprs] if node.args and name != "memcpy" else []
        match name:
            case "memcpy":
                to, of = (self.eval(one).to for one in node.args.exprs[:2])
                self.assign(to, Value("bits", to.type, (self.read(of),)))
            case "td_product":
                return binary("*", *values)
            case "td_load_u32":
                return Value("load", "u32", (convert(values[0].to, "u32"),))
            case "td_launch_table":
                return TABLE
            case "td_launch_over":
                return self.new_launch(values[1:])
            case "td_plan_add":
                self.add(values[1])
            case _ if name in KNOWN:
                if name == "td_log2_floor":  # some languages say this argument several times
                    values = [self.atom(convert(values[0], "u32"), "value")]
                arguments = [convert(one, KNOWN[name]) for one in values]
                return Value("call", KNOWN[name], (name, *arguments))
            case _ if name in self.source.functions:
                return self.inline(self.source.functions[name], values)
            case _:
                raise EmitError(f"calls {name}, which this command does not know")
        return None

    def new_launch(self, grid: list[Value]) -> Any:
        launch = self.read(self.storage(self.source.structs["td_launch"], "launch"))
        launch["grid"] = dict(zip("xyz", (convert(one, "u32") for one in grid)))
        return launch

    def add(self, launch: Any) -> None:
        """A launch of a plan."""
        self.launches.append(launch if self.depth == 0 and self.mask == TRUE else None)
        self.out.append(Append([*launch["grid"].values(), *launch["param"].values()], self.mask))

    def inline(self, function: c_ast.FuncDef, values: list[Any]) -> Any:
        name = function.decl.name
        if name in self.stack:
            raise EmitError(f"{name} calls itself")
        before = self.scope, self.frame, self.mask
        scope: dict[str, Any] = {}
        for parameter, value in zip(function.decl.type.args.params, values):
            scope[parameter.name] = place = self.storage(parameter.type, parameter.name)
            if isinstance(value, Value) and Uses(parameter.name).of(function.body) == 1:
                place.value = convert(value, place.type)  # it needs no name
            else:
                self.assign(place, value, is_new=True)
        self.scope, self.frame = scope, Frame(self.mask)
        self.stack.append(name)
        self.execute(function.body)
        self.stack.pop()
        value = self.frame.value
        self.scope, self.frame, self.mask = before
        declared = getattr(function.decl.type.type.type, "names", [""])[-1]
        return convert(value, TYPES[declared]) if isinstance(value, Value) and declared in TYPES else value

    def execute(self, node: c_ast.Node | None) -> None:
        """A statement: see flatten.py."""
        raise NotImplementedError


def refuse_effects(*nodes: c_ast.Node) -> None:
    """What C evaluates in one case only is always evaluated here."""
    for node in nodes:
        if isinstance(node, c_ast.Assignment) or (isinstance(node, c_ast.UnaryOp) and node.op[-2:] in ("++", "--")):
            raise EmitError(f"has an assignment behind ?, && or ||, at {node.coord}")
        refuse_effects(*(child for _, child in node.children()))


@dataclass
class Uses(c_ast.NodeVisitor):  # type: ignore[misc]
    """How often a function names a parameter; more than once if it has loops."""

    name: str
    count: int = 0

    def of(self, node: c_ast.Node) -> int:
        self.visit(node)
        return self.count

    def visit_ID(self, node: c_ast.ID) -> None:
        self.count += node.name == self.name

    def visit_While(self, node: c_ast.Node) -> None:
        self.count += 2

    visit_For = visit_While
