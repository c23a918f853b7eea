import { describe, expect, it } from 'vitest';
import { extractFacts } from '../extract.ts';
import { arrowsOf, mapOf } from '../testing/project.ts';
import { languageOf } from './index.ts';
import { expand } from './rust.ts';

/** Per language: files, and every import between them. */
const PROJECTS: Record<string, { files: Record<string, string>; arrows: string[] }> = {
  'TypeScript paths, endings, re-exports and dynamic imports': {
    files: {
      'tsconfig.json': '{ // comment\n "compilerOptions": { "baseUrl": ".", "paths": { "@lib/*": ["lib/*"], }, } }',
      'main.ts':
        "import a from './plain';\nimport { b } from './written.js';\nimport * as c from './folder';\nimport type { D } from './types.ts';\nexport { e } from './again.ts';\nconst f = await import('./later.ts');\nimport g from '@lib/deep/g';\nimport h = require('./h');\n// import './never.ts'\nconst text = \"import './never.ts'\";",
      'plain.ts': 'export default 1;',
      'written.ts': 'export const b = 1;',
      'folder/index.ts': 'export const c = 1;',
      'types.ts': 'export type D = 1;',
      'again.ts': 'export const e = 1;',
      'later.ts': 'export const f = 1;',
      'lib/deep/g.tsx': 'export default 1;',
      'h.ts': 'export = 1;',
      'never.ts': 'export {};',
    },
    arrows: [
      'plain.ts',
      'written.ts',
      'folder/index.ts',
      'types.ts',
      'again.ts',
      'later.ts',
      'lib/deep/g.tsx',
      'h.ts',
    ].map((to) => `main.ts -> ${to}`),
  },
  'workspace packages, exports and own imports': {
    files: {
      'package.json': '{"workspaces":["packages/*"]}',
      'packages/x/package.json': '{"name":"@acme/x","imports":{"#own/*":{"node":"./src/own/*.ts"}}}',
      'packages/x/src/index.js':
        "import { y } from '@acme/y';\nimport z from '@acme/y/deep';\nimport o from '#own/o';\nrequire('fs');",
      'packages/x/src/own/o.ts': 'export default 1;',
      'packages/y/package.json':
        '{"name":"@acme/y","exports":{".":{"types":"./missing.d.ts","default":"./main.ts"},"./*":"./lib/*.ts"}}',
      'packages/y/main.ts': 'export const y = 1;',
      'packages/y/lib/deep.ts': 'export default 1;',
    },
    arrows: [
      'packages/x/src/index.js -> packages/x/src/own/o.ts',
      'packages/x/src/index.js -> packages/y/lib/deep.ts',
      'packages/x/src/index.js -> packages/y/main.ts',
    ],
  },
  'Python packages, src layout and relative imports': {
    files: {
      'pyproject.toml': '[project]\nname = "app"\n',
      'src/app/__init__.py': '',
      'src/app/main.py': 'from app.core import thing\nfrom . import helper\nimport app.util.text as t, os\n',
      'src/app/core.py': 'thing = 1\n',
      'src/app/helper.py': 'x = 1\n',
      'src/app/util/__init__.py': '',
      'src/app/util/text.py': 'from ..core import (\n  thing,\n)\nfrom ...beyond import x\n',
      'tests/test_main.py': 'from app import main\n',
    },
    arrows: [
      'src/app/main.py -> src/app/core.py',
      'src/app/main.py -> src/app/helper.py',
      'src/app/main.py -> src/app/util/text.py',
      'src/app/util/text.py -> src/app/core.py',
      'tests/test_main.py -> src/app/main.py',
    ],
  },
  'Go packages of the module, and files of one package': {
    files: {
      'go.mod': 'module example.org/shop\n\ngo 1.22\n',
      'main.go':
        'package main\n\nimport (\n\t"fmt"\n\tc "example.org/shop/cart"\n)\n\nfunc main() { fmt.Println(c.Total(), helper()) }\n',
      'helper.go': 'package main\n\nfunc helper() int { return 1 }\n',
      'cart/cart.go': 'package cart\n\nfunc Total() int { return 1 }\n',
      'cart/other.go': 'package cart\n\nfunc Other() int { return 1 }\n',
      'cart/cart_test.go': 'package cart\n\nfunc TestTotal() { Total() }\n',
    },
    arrows: ['cart/cart_test.go -> cart/cart.go', 'main.go -> cart/cart.go', 'main.go -> helper.go'],
  },
  'Rust modules, use trees and crates of the workspace': {
    files: {
      'Cargo.toml': '[workspace]\nmembers = ["shop", "stock-room"]\n',
      'shop/Cargo.toml': '[package]\nname = "shop"\n',
      'shop/src/main.rs': 'mod cart;\nuse stock_room::level;\nfn main() { cart::total(); level(); }\n',
      'shop/src/cart.rs': 'mod tax;\nuse self::tax::rate;\npub fn total() { rate(); }\n',
      'shop/src/cart/tax.rs': 'use crate::cart::{self, total};\nuse super::total as t;\npub fn rate() {}\n',
      'stock-room/Cargo.toml': '[package]\nname = "stock-room"\n',
      'stock-room/src/lib.rs': 'pub fn level() {}\n',
    },
    arrows: [
      'shop/src/cart.rs -> shop/src/cart/tax.rs',
      'shop/src/cart/tax.rs -> shop/src/cart.rs',
      'shop/src/main.rs -> shop/src/cart.rs',
      'shop/src/main.rs -> stock-room/src/lib.rs',
    ],
  },
  'Java and Kotlin by their packages': {
    files: {
      'src/main/java/org/acme/App.java':
        'package org.acme;\nimport org.acme.cart.*;\nimport static org.acme.text.Text.trim;\nclass App { Cart cart; Helper helper; }\n',
      'src/main/java/org/acme/Helper.java': 'package org.acme;\nclass Helper {}\n',
      'src/main/java/org/acme/cart/Cart.java': 'package org.acme.cart;\npublic class Cart {}\n',
      'src/main/java/org/acme/cart/Unused.java': 'package org.acme.cart;\npublic class Unused {}\n',
      'src/main/kotlin/org/acme/text/Text.kt':
        'package org.acme.text\nimport org.acme.cart.Cart as C\nobject Text { val c: C? = null }\n',
    },
    arrows: [
      'src/main/java/org/acme/App.java -> src/main/java/org/acme/Helper.java',
      'src/main/java/org/acme/App.java -> src/main/java/org/acme/cart/Cart.java',
      'src/main/java/org/acme/App.java -> src/main/kotlin/org/acme/text/Text.kt',
      'src/main/kotlin/org/acme/text/Text.kt -> src/main/java/org/acme/cart/Cart.java',
    ],
  },
  'C and C++ includes beside the file, in include directories, and not of the system': {
    files: {
      'src/main.c': '#include <stdio.h>\n#include "local.h"\n#include <acme/cart.h>\nint main(void) { return 0; }\n',
      'src/local.h': 'int local(void);\n',
      'include/acme/cart.h': 'struct cart { int total; };\n',
      'src/deep/view.cpp': '#include "../local.h"\n#include "acme/cart.h"\nclass View {};\n',
    },
    arrows: [
      'src/deep/view.cpp -> include/acme/cart.h',
      'src/deep/view.cpp -> src/local.h',
      'src/main.c -> include/acme/cart.h',
      'src/main.c -> src/local.h',
    ],
  },
  'C# by what is used of a namespace': {
    files: {
      'App.cs': 'using Acme.Cart;\nnamespace Acme.Web;\nclass App { Total total; Shared shared; }\n',
      'Total.cs': 'namespace Acme.Cart { public class Total {} }\n',
      'Unused.cs': 'namespace Acme.Cart { public class Unused {} }\n',
      'Shared.cs': 'namespace Acme { public class Shared {} }\n',
    },
    arrows: ['App.cs -> Shared.cs', 'App.cs -> Total.cs'],
  },
  'Ruby requires and constants': {
    files: {
      Gemfile: '',
      'bin/app.rb': 'require "cart/total"\nrequire_relative "../lib/tax"\nStock.new\n',
      'lib/cart/total.rb': 'class Total; end\n',
      'lib/tax.rb': 'module Tax; end\n',
      'app/stock.rb': 'class Stock; end\n',
    },
    arrows: ['bin/app.rb -> app/stock.rb', 'bin/app.rb -> lib/cart/total.rb', 'bin/app.rb -> lib/tax.rb'],
  },
  'PHP namespaces and includes': {
    files: {
      'src/App.php':
        "<?php\nnamespace Acme;\nuse Acme\\Cart\\{Total, Tax as T};\nrequire_once __DIR__ . '/boot.php';\nclass App { private Helper $h; }\n",
      'src/Helper.php': '<?php\nnamespace Acme;\nclass Helper {}\n',
      'src/Cart/Total.php': '<?php\nnamespace Acme\\Cart;\nclass Total {}\n',
      'src/Cart/Tax.php': '<?php\nnamespace Acme\\Cart;\nclass Tax {}\n',
      'src/boot.php': '<?php\nreturn 1;\n',
    },
    arrows: ['src/Cart/Tax.php', 'src/Cart/Total.php', 'src/Helper.php', 'src/boot.php'].map(
      (to) => `src/App.php -> ${to}`,
    ),
  },
};

describe.each(Object.entries(PROJECTS))('%s', (_, { files, arrows }) => {
  it('gives exactly the imports between the files', async () => {
    expect(arrowsOf(await mapOf(files))).toEqual(arrows.toSorted());
  });
});

it('reads what surrounds a fault of syntax', async () => {
  const files = { 'a.ts': "import { b } from './b';\nimport { from from from (((\n", 'b.ts': 'export const b = 1;\n' };
  expect(arrowsOf(await mapOf(files))).toEqual(['a.ts -> b.ts']);
});

it.each([
  [
    'a.ts',
    'export const one = 1, two = 2;\nfunction f() { class Inner {} }\ninterface I {}\n',
    ['one', 'two', 'f', 'I'],
  ],
  ['a.py', 'X = 1\n@dec\ndef f():\n  def inner(): pass\nclass C:\n  def m(self): pass\n', ['X', 'f', 'C']],
  ['a.cpp', 'namespace n { class K { void m() {} }; }\nint K::g() { return 1; }\n', ['K', 'K::g']],
  ['a.rs', 'mod m { pub fn z() {} }\nstruct S;\nimpl S { fn m() {} }\n', ['m', 'z', 'S']],
  ['a.rb', 'module M\n class C\n  def m; end\n end\nend\n', ['M', 'C']],
])('names the declarations of %s that other files can see', async (path, source, names) => {
  const language = languageOf(path);
  if (language === undefined) throw new Error(path);
  expect((await extractFacts(language, source, true)).symbols.map(({ name }) => name)).toEqual(names);
});

it('expands use trees of Rust', () => {
  expect(expand('a::{b,c::{self,d},*}')).toEqual(['a::b', 'a::c', 'a::c::d', 'a']);
});
