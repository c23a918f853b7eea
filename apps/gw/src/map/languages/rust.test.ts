import { array, assert, constantFrom, property } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { importsOfFirst } from '../testing/project.ts';
import { expand } from './rust.ts';

const CRATE = { 'Cargo.toml': '[package]\nname = "shop"\n' };
const SHOP = {
  ...CRATE,
  'src/lib.rs': 'pub mod cart;\npub mod tax;\n',
  'src/cart/mod.rs': 'pub mod line;\n',
  'src/cart/line.rs': 'pub struct Line;\n',
  'src/tax.rs': 'pub fn rate() {}\n',
  'src/tax/table.rs': '',
};

describe('a Rust file imports', () => {
  it.each<[string, string, string, readonly string[]]>([
    [
      'by re-exports of all visibilities',
      'src/prelude.rs',
      'pub use crate::cart::line::Line;\npub(crate) use crate::tax;',
      ['src/cart/line.rs', 'src/tax.rs'],
    ],
    ['under other names', 'src/a.rs', 'use crate::cart::line::{self as l, Line as Row};', ['src/cart/line.rs']],
    ['everything of a module', 'src/a.rs', 'use crate::tax::*;', ['src/tax.rs']],
    [
      'in a tree with comments over several lines',
      'src/a.rs',
      'use crate::{ // both\n  cart::{line::Line, /* more */},\n  tax,\n};',
      ['src/cart/line.rs', 'src/tax.rs'],
    ],
    ['inside a function', 'src/a.rs', 'fn f() { use crate::tax::rate; rate(); }', ['src/tax.rs']],
    [
      'from the module around it',
      'src/tax/table.rs',
      'use super::rate;\nuse super::super::cart::line::Line;',
      ['src/cart/line.rs', 'src/tax.rs'],
    ],
    [
      'its library from a program of the same crate',
      'src/bin/tool.rs',
      'use shop::cart::line::Line;',
      ['src/cart/line.rs'],
    ],
    [
      'its library from tests and examples',
      'tests/all.rs',
      'use shop::tax::rate;\nextern crate shop;',
      ['src/lib.rs', 'src/tax.rs'],
    ],
    [
      'modules beside a program of several files',
      'src/bin/deep/main.rs',
      'mod part;\nuse part::x;',
      ['src/bin/deep/part.rs'],
    ],
    ['a module whose name is a keyword', 'src/odd.rs', 'mod r#type;', ['src/odd/type.rs']],
    [
      'nothing of other crates, of itself, or of texts',
      'src/a.rs',
      'use std::fmt;\nuse serde::Serialize;\nconst T: &str = "use crate::tax;";\n// use crate::tax;',
      [],
    ],
    [
      'nothing that is not there',
      'src/a.rs',
      'mod gone;\nuse super::super::super::super::x;\nuse crate;',
      ['src/lib.rs'],
    ],
    [
      'around a fault of syntax',
      'src/a.rs',
      'use crate::tax;\nfn broken( {\nuse crate::cart;\n',
      ['src/cart/mod.rs', 'src/tax.rs'],
    ],
  ])('%s', async (_, path, text, imported) => {
    const files = { 'src/bin/deep/part.rs': '', 'src/odd/type.rs': '' };
    const { [path]: __, ...others } = { ...SHOP, ...files } as Record<string, string>;
    expect(await importsOfFirst({ [path]: text, ...others })).toEqual(imported);
  });

  it.each([
    ['its package', '[package]\nname = "stock-room" # ours\nversion = "1.0.0"\n'],
    ['its library', '[package]\nname = "other"\n[lib]\nname = "stock_room"\n'],
    ['its package after other sections', '[features]\nname = "no"\n\n[package]\nedition = "2024"\nname="stock-room"\n'],
  ])('another crate of the workspace by the name of %s', async (__, manifest) => {
    const files = { ...SHOP, 'room/Cargo.toml': manifest, 'room/src/lib.rs': '', 'room/src/level.rs': '' };
    expect(
      await importsOfFirst({ 'src/a.rs': 'use stock_room::level::now;\nuse stock_room::Item;\n', ...files }),
    ).toEqual(['room/src/level.rs', 'room/src/lib.rs']);
  });
});

describe('a tree of names in Rust', () => {
  it.each([
    ['a', ['a']],
    ['::a::b', ['a::b']],
    ['a::*', ['a']],
    ['a::{self}', ['a']],
    ['{a,b::{c,d::*}}', ['a', 'b::c', 'b::d']],
    ['a::{}', []],
    ['a::{b,}', ['a::b']],
    ['a::{b::{c::{d}}}', ['a::b::c::d']],
  ])('%s has the paths %j', (tree, paths) => {
    expect(expand(tree)).toEqual(paths);
  });

  it('gives paths without brackets for any text that is half a tree', () => {
    assert(
      property(array(constantFrom('a', '::', '{', '}', ',', '*', 'self')), (parts) => {
        for (const path of expand(parts.join(''))) expect(path).not.toMatch(/\{/);
      }),
    );
  });
});
