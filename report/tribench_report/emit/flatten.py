"""Turns the C functions of a map into one program without calls: each value has a name, each branch is a choice."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pycparser import c_ast

from .errors import EmitError
from .expressions import Cell, Expressions
from .statements import Let, While
from .values import FALSE, TRUE, Value, convert, negated, op, var


class Flattener(Expressions):
    """Executes the statements of C: each leaves in the mask where execution goes on."""

    def execute(self, node: c_ast.Node | None) -> None:
        match node:
            case None | c_ast.EmptyStatement():
                pass
            case c_ast.Compound():
                scope = self.scope
                self.scope = dict(scope)
                for one in node.block_items or []:
                    self.execute(one)
                    if self.mask == FALSE:
                        break
                self.scope = scope
            case c_ast.DeclList():
                for one in node.decls:
                    self.execute(one)
            case c_ast.Decl():
                self.declare(node)
            case c_ast.Assignment():
                self.set(node)
            case c_ast.If():
                self.branch(node)
            case c_ast.While():
                self.loop(lambda: convert(self.eval(node.cond), "bool"), lambda: self.execute(node.stmt))
            case c_ast.For():
                scope = self.scope
                self.scope = dict(scope)
                self.execute(node.init)
                test = node.cond or c_ast.Constant("int", "1")
                self.loop(lambda: convert(self.eval(test), "bool"), lambda: self.repeat(node))
                self.scope = scope
            case c_ast.Return():
                self.leave(self.eval(node.expr) if node.expr else None)
            case c_ast.UnaryOp() | c_ast.FuncCall() | c_ast.Cast():
                self.eval(node)
            case _:
                raise EmitError(f"has a statement that this command does not know, at {node.coord}")

    def repeat(self, node: c_ast.For) -> None:
        self.execute(node.stmt)
        self.execute(node.next)

    def declare(self, node: c_ast.Decl) -> None:
        place = self.storage(node.type, node.name)
        if isinstance(node.init, c_ast.InitList):
            for one, init in zip(place.values(), node.init.exprs):
                self.assign(one, self.eval(init), is_new=True)
        elif node.init is not None:
            self.assign(place, self.eval(node.init), is_new=True)
        self.scope[node.name] = place

    def branch(self, node: c_ast.If) -> None:
        condition = self.atom(convert(self.eval(node.cond), "bool"), "test")
        entry, rest = self.mask, []
        for where, block in ((condition, node.iftrue), (negated(condition), node.iffalse)):
            self.mask = start = self.atom(op("and", entry, where), "test") if where != TRUE else entry
            if start != FALSE:
                self.execute(block)
            rest.append((start, self.mask))
        if all(start == end for start, end in rest):
            self.mask = entry
        else:
            self.mask = self.atom(op("or", rest[0][1], rest[1][1]), "test")

    def leave(self, value: Any) -> None:
        self.frame.value = self.chosen(value, self.frame.value)
        self.mask = FALSE

    def chosen(self, value: Any, other: Any) -> Any:
        """What a function returns: this value, or the other one where it has returned before, in other branches."""
        if isinstance(value, dict):
            return {key: self.chosen(one, other and other[key]) for key, one in value.items()}
        if other is not None:
            value = self.choose(self.mask, value, other)
        return self.atom(value, "value") if isinstance(value, Value) and self.mask != self.frame.entry else value

    # ---- loops

    def loop(self, test: Callable[[], Value], body: Callable[[], None]) -> None:
        entry = self.mask
        kept = {self.fresh(one.name): one for one in self.carried(test, body)}
        for name, one in kept.items():
            self.update(name, self.read(one))
            one.value = var(one.type, name)
        self.depth += 1
        before, condition = self.captured(lambda: op("and", entry, test()))
        is_plain = not before and not self.is_vector
        if not is_plain:
            name = self.fresh("active")
            self.out += before
            self.update(name, condition)
            condition = var("bool", name)
        self.mask = condition if self.is_vector else TRUE
        statements, _ = self.captured(lambda: self.once(body, kept))
        if not is_plain:
            again, value = self.captured(lambda: op("and", entry, test()))
            statements += [*again, Let(name, value)]
        self.out.append(While(condition, statements))
        self.depth -= 1
        self.mask = entry

    def once(self, body: Callable[[], None], kept: dict[str, Cell]) -> None:
        """The body, after which the variables that it changes have their names again."""
        mask = self.mask
        body()
        if self.mask != mask:
            raise EmitError("leaves a loop by return")
        for name, one in kept.items():
            if one.value.kind == "var" and one.value.args[0] in kept and one.value.args[0] != name:
                copy = self.fresh(one.name)  # the value of a name that is about to change
                self.out.append(Let(copy, one.value))
                one.value = var(one.type, copy)
        for name, one in kept.items():
            if one.value != var(one.type, name):
                self.update(name, one.value)
            one.value = var(one.type, name)

    def update(self, name: str, value: Value) -> None:
        self.changing.add(name)
        self.out.append(Let(name, value))

    def captured(self, action: Callable[[], Any]) -> tuple[list[Any], Any]:
        """The statements of an action, and what it returns."""
        out, self.out = self.out, []
        result = action()
        statements, self.out = self.out, out
        return statements, result

    def carried(self, test: Callable[[], Value], body: Callable[[], None]) -> list[Cell]:
        """The variables that a loop changes, found by executing it until there are no more."""
        found: list[Cell] = []
        known = list(self.cells)
        values = [one.value for one in known]
        state = self.mask, set(self.names), len(self.launches)
        while True:
            for one, value in zip(known, values):
                one.value = value
            for one in found:
                one.value = var(one.type, "?")
            before = [one.value for one in known]
            self.captured(test)
            self.captured(body)
            more = [one for one, value in zip(known, before) if one.value != value and one not in found]
            self.mask, self.names = state[0], set(state[1])
            del self.launches[state[2] :], self.cells[len(known) :]
            found += more
            if not more:
                break
        for one, value in zip(known, values):
            one.value = value
        return found
