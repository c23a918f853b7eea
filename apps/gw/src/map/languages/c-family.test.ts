import { describe, expect, it } from 'vitest';
import { importsOfFirst } from '../testing/project.ts';

describe('a C or C++ file includes', () => {
  const HEADERS = {
    'src/own.h': '',
    'include/lib/pub.h': '',
    'include/lib/pub.hpp': '',
    'lib/sub/include/sub.h': '',
    'lib/sub/src/inner.h': '',
  };
  it.each<[string, string, string, readonly string[]]>([
    [
      'under conditions',
      'src/a.c',
      '#ifdef X\n#  include "own.h"\n#else\n # include <lib/pub.h>\n#endif',
      ['include/lib/pub.h', 'src/own.h'],
    ],
    [
      'inside a guard and a block of C',
      'src/b.h',
      '#ifndef B_H\n#define B_H\nextern "C" {\n#include "own.h"\n}\n#endif',
      ['src/own.h'],
    ],
    ['inside a function', 'src/a.c', 'int f(void) {\n#include "own.h"\n  return 0;\n}', ['src/own.h']],
    [
      'with a comment behind it',
      'src/a.c',
      '#include "own.h" // ours\n#include <lib/pub.h> /* also */',
      ['include/lib/pub.h', 'src/own.h'],
    ],
    [
      'from the directories of its library',
      'lib/sub/src/a.cc',
      '#include <sub.h>\n#include "inner.h"',
      ['lib/sub/include/sub.h', 'lib/sub/src/inner.h'],
    ],
    [
      'from C++',
      'src/a.cpp',
      '#include <vector>\n#include "lib/pub.hpp"\nimport std;\nnamespace n { class K; }',
      ['include/lib/pub.hpp'],
    ],
    [
      'nothing of comments, texts and macros',
      'src/a.c',
      '// #include "own.h"\n/*\n#include "own.h"\n*/\n#include OWN\nchar *s = "#include \\"own.h\\"";',
      [],
    ],
    ['nothing above the project', 'src/a.c', '#include "../../own.h"\n#include <../../../src/own.h>', []],
    [
      'around a fault of syntax',
      'src/a.c',
      '#include "own.h"\nint f( {\n#include <lib/pub.h>\n',
      ['include/lib/pub.h', 'src/own.h'],
    ],
  ])('%s', async (_, path, text, included) => {
    expect(await importsOfFirst({ [path]: `${text}\n`, ...HEADERS })).toEqual(included);
  });
});

describe('a C# file imports', () => {
  const SOURCES = {
    'Total.cs': 'namespace Acme.Cart;\npublic record struct Total(int Sum);\n',
    'Kind.cs': 'namespace Acme.Cart { public enum Kind { A } public delegate void Changed(); }\n',
    'Text.cs': 'namespace Acme { public static class Text { public static string Trim(string s) => s; } }\n',
    'Deep.cs': 'namespace Acme { namespace Deep { public interface IDeep {} } }\n',
    'Free.cs': 'class Free {}\n',
  };
  it.each<[string, string, readonly string[]]>([
    ['what it uses of a namespace', 'using Acme.Cart;\nclass A { Total t; }', ['Total.cs']],
    [
      'generic arguments, attributes and delegates',
      'using Acme.Cart;\nclass A { List<Kind> k; event Changed c; }',
      ['Kind.cs'],
    ],
    ['for the whole program', 'global using global::Acme.Cart;\nclass A { Kind k; }', ['Kind.cs']],
    ['one type statically', 'using static Acme.Text;\nclass A { string s = Trim(""); }', ['Text.cs']],
    ['one type under another name', 'using T = Acme.Cart.Total;\nclass A { T t; }', ['Total.cs']],
    ['in a namespace', 'namespace B { using Acme.Cart; class A { Total t; } }', ['Total.cs']],
    ['from programs without a class', 'using Acme.Cart;\nvar total = new Total(1);\n', ['Total.cs']],
    ['types of no namespace', 'namespace B;\nclass A { Free f; }', ['Free.cs']],
    ['nothing of namespaces that it does not open', 'using Acme;\nclass A { Total t; Kind k; }', []],
    ['nothing of comments and texts', 'using Acme.Cart;\nclass A { /* Total */ string s = "Total"; }', []],
  ])('%s', async (_, text, imported) => {
    expect(await importsOfFirst({ 'App/A.cs': `${text}\n`, ...SOURCES })).toEqual(imported);
  });

  it('types of a namespace inside another', async () => {
    expect(await importsOfFirst({ 'A.cs': 'using Acme.Deep;\nclass A : IDeep {}\n', ...SOURCES })).toEqual(['Deep.cs']);
  });
});
