import { describe, expect, it } from 'vitest';
import { importsOfFirst } from '../testing/project.ts';

const SOURCES = {
  'src/Text.java': 'package org.text;\npublic final class Text { public static String trim(String s) { return s; } }\n',
  'src/Color.kt': 'package org.text\nenum class Color { RED, GREEN }\n',
  'src/cart/Cart.java': 'package org.cart;\npublic record Cart(int total) { public static class Line {} }\n',
  'src/cart/Unused.java': 'package org.cart;\npublic interface Unused {}\n',
  'src/cart/functions.kt': 'package org.cart\nfun Cart.rounded(): Int = 1\nval limit = 2\ntypealias Total = Int\n',
};

describe('a Java file imports', () => {
  it.each<[string, string, readonly string[]]>([
    ['one type', 'import org.cart.Cart;\nclass A {}', ['src/cart/Cart.java']],
    ['what it uses of a package', 'import org.cart.*;\n@interface A { Cart[] of(); }', ['src/cart/Cart.java']],
    ['a static member', 'import static org.text.Text.trim;\nenum A { X }', ['src/Text.java']],
    [
      'all static members of a type',
      'import static org.text.Text.*;\nclass A { String s = trim(""); }',
      ['src/Text.java'],
    ],
    ['all types in a type', 'import org.cart.Cart.*;\nclass A { Line l; }', ['src/cart/Cart.java']],
    ['a type of Kotlin', 'import org.text.Color;\nclass A {}', ['src/Color.kt']],
    ['over several lines with blanks', 'import\n  org . cart\n  . Cart ;\nclass A {}', ['src/cart/Cart.java']],
    ['with a comment beside it', 'import org.cart.Cart; // import org.text.Text;\nclass A {}', ['src/cart/Cart.java']],
    [
      'around a fault of syntax',
      'import org.cart.Cart;\nclass A { void f( { } \nclass B extends Text {}',
      ['src/cart/Cart.java'],
    ],
    ['nothing of others', 'import java.util.List;\nimport org.cart.Gone;\nimport org.gone.*;\nclass A { Cart c; }', []],
  ])('%s', async (_, text, imported) => {
    expect(await importsOfFirst({ 'src/app/A.java': `package org.app;\n${text}\n`, ...SOURCES })).toEqual(imported);
  });

  it('types of its own package without a statement, tests and sources alike', async () => {
    const files = {
      'test/CartTest.java': 'package org.cart;\nclass CartTest { Cart cart; int l = limit; }\n',
      ...SOURCES,
    };
    expect(await importsOfFirst(files)).toEqual(['src/cart/Cart.java', 'src/cart/functions.kt']);
  });

  it('types without a package from others without a package alone', async () => {
    const files = { 'A.java': 'class A { B b; Cart c; }\n', 'B.java': 'class B {}\n', ...SOURCES };
    expect(await importsOfFirst(files)).toEqual(['B.java']);
  });
});

describe('a Kotlin file imports', () => {
  it.each<[string, string, readonly string[]]>([
    ['a type of Java', 'import org.cart.Cart', ['src/cart/Cart.java']],
    ['under another name', 'import org.cart.Cart as Basket', ['src/cart/Cart.java']],
    ['a function', 'import org.cart.rounded', ['src/cart/functions.kt']],
    ['a value', 'import org.cart.limit', ['src/cart/functions.kt']],
    ['an alias of a type', 'import org.cart.Total', ['src/cart/functions.kt']],
    ['a member of an enumeration', 'import org.text.Color.RED', ['src/Color.kt']],
    ['all members of an enumeration', 'import org.text.Color.*\nval c = RED', ['src/Color.kt']],
    ['what it uses of a package', 'import org.cart.*\nclass A(val c: Cart)', ['src/cart/Cart.java']],
    ['names in backticks', 'import org.`cart`.`Cart`', ['src/cart/Cart.java']],
    ['nothing of texts', 'val s = "org.cart.Cart"\nval t = """import org.cart.Cart"""', []],
  ])('%s', async (_, text, imported) => {
    const path = 'src/app/A.kt';
    expect(await importsOfFirst({ [path]: `@file:JvmName("App")\npackage org.app\n${text}\n`, ...SOURCES })).toEqual(
      imported,
    );
  });

  it('from a script', async () => {
    expect(await importsOfFirst({ 'a.kts': 'import org.text.Text\nprintln(Text.trim(""))\n', ...SOURCES })).toEqual([
      'src/Text.java',
    ]);
  });
});
