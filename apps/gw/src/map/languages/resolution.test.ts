import { describe, expect, it } from 'vitest';
import { arrowsOf, mapOf } from '../testing/project.ts';

type Files = Readonly<Record<string, string>>;
/** Files, and what the first of them imports. */
const CASES: Readonly<Record<string, readonly [files: Files, imported: readonly string[]]>> = {
  'TypeScript: every form of an import': [
    {
      'a.ts':
        "import './effect';\nexport * from './star';\nexport * as n from './named.mjs';\nimport type T from './type';\nimport data from './data.json';\nvoid import('./late');\nconst c = require('./common');\nexport type { U } from './under.jsx';\nimport { x } from './index/';\nimport p from 'react';",
      'effect.ts': '',
      'star.tsx': '',
      'named.mts': '',
      'type.d.ts': '',
      'data.json': '{}',
      'late.ts': '',
      'common.cjs': '',
      'under.tsx': '',
      'index/index.mjs': '',
      'react.ts': '',
    },
    ['effect.ts', 'star.tsx', 'named.mts', 'type.d.ts', 'late.ts', 'common.cjs', 'under.tsx', 'index/index.mjs'],
  ],
  'TypeScript: paths of a configuration that extends another': [
    {
      'app/a.ts': "import x from '#lib/x';\nimport y from '@app/y';\nimport z from '@only';",
      'tsconfig.base.json':
        '{"compilerOptions":{"paths":{"#lib/*":["./missing/*","./lib/*"],"@only":["./lib/only.ts"]}}}',
      'app/tsconfig.json': '{"extends":"../tsconfig.base.json","compilerOptions":{}}',
      'lib/x.ts': '',
      'lib/only.ts': '',
      'app/y.ts': '',
    },
    ['lib/x.ts', 'lib/only.ts'],
  ],
  'Python: names over several lines, stubs and packages without __init__': [
    {
      'a.py':
        'from pkg.sub import (  # several\n    one,\n    two as second,\n)\nfrom pkg import sub\nimport stub\nfrom . import beside\nif True:\n    import late\ndef f():\n    from inner import g\n',
      'pkg/sub/one.py': '',
      'pkg/sub/two.py': '',
      'pkg/sub/__init__.py': '',
      'stub.pyi': '',
      'beside.py': '',
      'late.py': '',
      'inner.py': '',
    },
    ['pkg/sub/one.py', 'pkg/sub/two.py', 'pkg/sub/__init__.py', 'stub.pyi', 'beside.py', 'late.py', 'inner.py'],
  ],
  'Python: a relative import that leaves the project names nothing': [
    { 'pkg/a.py': 'from ...x import y\n', 'x.py': 'y = 1\n', 'pkg/__init__.py': '' },
    [],
  ],
  'Rust: nested modules, paths of attributes and groups': [
    {
      'src/lib.rs':
        '#[path = "other/place.rs"]\nmod moved;\npub(crate) mod deep;\nuse {crate::deep::inner::thing, deep::*};\n#[cfg(test)]\nmod tests { use super::deep::leaf; mod inner { use super::super::deep::other; } }\n',
      'Cargo.toml': '[package]\nname = "x"\n',
      'src/other/place.rs': 'pub fn p() {}\n',
      'src/deep/mod.rs': 'pub mod inner;\npub mod leaf;\npub mod other;\n',
      'src/deep/inner.rs': 'pub fn thing() {}\n',
      'src/deep/leaf.rs': 'pub fn l() {}\n',
      'src/deep/other.rs': '',
    },
    ['src/other/place.rs', 'src/deep/mod.rs', 'src/deep/inner.rs', 'src/deep/leaf.rs', 'src/deep/other.rs'],
  ],
  'Rust: tests of a file are no import of the module around it': [
    {
      'src/cart.rs': 'pub fn total() {}\n#[cfg(test)]\nmod tests { use super::*; use super::total; }\n',
      'Cargo.toml': '[package]\nname = "x"\n',
      'src/lib.rs': 'mod cart;\n',
    },
    [],
  ],
  'Go: aliases, dots, blanks, and nothing of the vendor folder': [
    {
      'a.go':
        'package main\nimport c "m.example/x/cart"\nimport . "m.example/x/dot"\nimport _ "m.example/x/effect"\nimport "other.example/y"\nfunc main() { c.Total(); Dotted() }\n',
      'go.mod': 'module m.example/x // the module\n',
      'cart/a.go': 'package cart\nfunc Total() {}\n',
      'dot/a.go': 'package dot\nfunc Dotted() {}\n',
      'effect/a.go': 'package effect\nfunc init() {}\n',
      'vendor/other.example/y/a.go': 'package y\nfunc Y() {}\n',
    },
    ['cart/a.go', 'dot/a.go', 'effect/a.go'],
  ],
  'Java: static members, nested types and the own package': [
    {
      'src/org/A.java':
        'package org;\nimport static org.text.Text.trim;\nimport org.cart.Cart.Line;\nimport java.util.List;\nclass A { Beside b; }\n',
      'src/org/Beside.java': 'package org;\nclass Beside {}\n',
      'src/org/Unused.java': 'package org;\nclass Unused {}\n',
      'src/org/text/Text.java': 'package org.text;\npublic class Text {}\n',
      'src/org/cart/Cart.java': 'package org.cart;\npublic class Cart { public static class Line {} }\n',
    },
    ['src/org/Beside.java', 'src/org/text/Text.java', 'src/org/cart/Cart.java'],
  ],
  'C: quoted includes beside the file, and others in include folders': [
    {
      'src/a.c':
        '#include "own.h"\n#include <lib/pub.h>\n#include "sub/../own2.h"\n#include <stdio.h>\n#include MACRO\n',
      'src/own.h': '',
      'src/own2.h': '',
      'own.h': '',
      'include/lib/pub.h': '',
    },
    ['src/own.h', 'src/own2.h', 'include/lib/pub.h'],
  ],
  'PHP: groups, functions, aliases and files': [
    {
      'src/A.php':
        "<?php\nnamespace App;\nuse App\\Cart\\{Line, Total as T};\nuse function App\\Text\\trimmed;\nrequire __DIR__ . '/boot.php';\nclass A {}\n",
      'src/Cart/Line.php': '<?php\nnamespace App\\Cart;\nclass Line {}\n',
      'src/Cart/Total.php': '<?php\nnamespace App\\Cart;\nfinal class Total {}\n',
      'src/text.php': '<?php\nnamespace App\\Text;\nfunction trimmed() {}\n',
      'src/boot.php': '<?php\n',
    },
    ['src/Cart/Line.php', 'src/Cart/Total.php', 'src/text.php', 'src/boot.php'],
  ],
  'Ruby: requires with and without an ending, and constants': [
    {
      'app/a.rb': "require_relative 'b'\nrequire_relative '../lib/c.rb'\nrequire 'd'\nautoload :E, 'e'\nLoaded.new\n",
      'app/b.rb': '',
      'lib/c.rb': '',
      'lib/d.rb': '',
      'lib/e.rb': '',
      'app/models/loaded.rb': 'class Loaded\nend\n',
    },
    ['app/b.rb', 'lib/c.rb', 'lib/d.rb', 'lib/e.rb', 'app/models/loaded.rb'],
  ],
  'C#: aliases, static imports and enclosing namespaces': [
    {
      'A.cs': 'using static Acme.Text;\nusing C = Acme.Carts.Cart;\nnamespace Acme.Shop.Web;\nclass A { Helper h; }\n',
      'Text.cs': 'namespace Acme;\nclass Text {}\n',
      'Cart.cs': 'namespace Acme.Carts { class Cart {} }\n',
      'Helper.cs': 'namespace Acme.Shop { class Helper {} }\n',
      'Other.cs': 'namespace Acme.Other { class Helper {} }\n',
    },
    ['Text.cs', 'Cart.cs', 'Helper.cs'],
  ],
};

describe.each(Object.entries(CASES))('%s', (_, [files, imported]) => {
  it('resolves to these files', async () => {
    const [from = ''] = Object.keys(files);
    const found = arrowsOf(await mapOf(files)).filter((arrow) => arrow.startsWith(`${from} -> `));
    expect(found).toEqual(imported.map((to) => `${from} -> ${to}`).toSorted());
  });
});
