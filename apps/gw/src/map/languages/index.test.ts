import { describe, expect, it } from 'vitest';
import { importsOfFirst } from '../testing/project.ts';

const MODULE = { 'go.mod': 'module example.org/shop\n\ngo 1.24\n' };

describe('a Go file imports', () => {
  it.each([
    ['a function', 'func Total() int { return 1 }', 'cart.Total()'],
    ['a type', 'type Total struct{ Sum int }', 'cart.Total{}'],
    ['an alias of a type', 'type Total = int', 'cart.Total(1)'],
    ['one of several types', 'type (\n\tother int\n\tTotal int\n)', 'cart.Total(1)'],
    ['a generic type', 'type Total[T any] struct{ of T }', 'cart.Total[int]{}'],
    ['one of several constants', 'const (\n\tZero = iota\n\tTotal\n)', 'cart.Total'],
    ['one of several variables', 'var other, Total = 1, 2', 'cart.Total'],
    ['an interface', 'type Total interface{ Sum() int }', 'cart.Total(nil)'],
  ])('of a package the file that declares %s', async (_, declaration, use) => {
    const files = {
      'main.go': `package main\n\nimport "example.org/shop/cart"\n\nfunc main() { _ = ${use} }\n`,
      ...MODULE,
      'cart/a_first.go': 'package cart\n\nfunc First() {}\n',
      'cart/total.go': `package cart\n\n${declaration}\n`,
    };
    expect(await importsOfFirst(files)).toEqual(['cart/total.go']);
  });

  it('the first file of a package of which it uses nothing by name', async () => {
    const main = 'package main\n\nimport _ "example.org/shop/cart"\n\nfunc main() {}\n';
    const cart = { 'cart/b.go': 'package cart\n', 'cart/a_test.go': 'package cart\n' };
    expect(await importsOfFirst({ 'main.go': main, ...MODULE, ...cart })).toEqual(['cart/b.go']);
  });

  it('packages of the innermost module, and the package at a module’s root', async () => {
    const files = {
      'main.go':
        'package main\n\nimport (\n\t"example.org/shop"\n\t"example.org/shop/tools/x"\n\t"example.org/shopping"\n)\n\nfunc main() { shop.Open(); x.Run() }\n',
      ...MODULE,
      'tools/go.mod': 'module "example.org/shop/tools" // quoted\n',
      'open.go': 'package shop\n\nfunc Open() {}\n',
      'tools/x/run.go': 'package x\n\nfunc Run() {}\n',
    };
    expect(await importsOfFirst({ 'cmd/main.go': files['main.go'], ...files })).toContain('open.go');
    expect(await importsOfFirst({ 'cmd/main.go': files['main.go'], ...files })).toContain('tools/x/run.go');
  });

  it('files of its own package by what it uses, its tests included', async () => {
    const files = {
      'a_test.go': 'package shop\n\nfunc TestOpen() { open(); helper() }\n',
      ...MODULE,
      'b.go': 'package shop\n\nfunc open() {}\n',
      'c_test.go': 'package shop\n\nfunc helper() {}\n',
      'd.go': 'package shop\n\nfunc Unused() {}\n',
    };
    expect(await importsOfFirst(files)).toEqual(['b.go', 'c_test.go']);
  });

  it('no file for a method that another type has, too', async () => {
    const files = {
      'a.go': 'package shop\n\ntype A struct{}\n\nfunc (a A) Close() {}\n\nfunc f(a A) { a.Close() }\n',
      ...MODULE,
      'b.go': 'package shop\n\ntype B struct{}\n\nfunc (b B) Close() {}\n',
    };
    expect(await importsOfFirst(files)).toEqual([]);
  });

  it('nothing of the standard library, of C, of other modules, or without a module', async () => {
    const text = 'package main\n\n// #include <stdio.h>\nimport "C"\nimport "fmt"\nimport "example.org/shop/cart"\n';
    const cart = { 'fmt/fmt.go': 'package fmt\n', 'cart/cart.go': 'package cart\n' };
    expect(await importsOfFirst({ 'main.go': text, ...cart })).toEqual([]);
    expect(await importsOfFirst({ 'main.go': text, ...cart, 'go.mod': 'go 1.24\n' })).toEqual([]);
    expect(await importsOfFirst({ 'main.go': text, ...cart, ...MODULE })).toEqual(['cart/cart.go']);
  });
});
