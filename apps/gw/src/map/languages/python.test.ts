import { describe, expect, it } from 'vitest';
import { importsOfFirst } from '../testing/project.ts';

const APP = {
  'pyproject.toml': '[project]\nname = "app"\n',
  'src/app/__init__.py': '',
  'src/app/core.py': 'thing = 1\n',
  'src/app/util/__init__.py': '',
  'src/app/util/text.py': '',
  'src/app/util/dates.py': '',
};

describe('a Python file imports', () => {
  it.each<[string, string, readonly string[]]>([
    ['several modules in one line', 'import app.core as c, app.util.text, os.path', ['core.py', 'util/text.py']],
    ['everything of a package', 'from app.util import *', ['util/__init__.py']],
    [
      'a module and a member of its package at once',
      'from app.util import text, helper',
      ['util/__init__.py', 'util/text.py'],
    ],
    ['over continued lines', 'from app.util \\\n  import text, \\\n  dates', ['util/dates.py', 'util/text.py']],
    [
      'in brackets with comments and a last comma',
      'from app.util import (\n  text, # one\n  # two\n  dates,\n)',
      ['util/dates.py', 'util/text.py'],
    ],
    [
      'under a condition, with a fallback',
      'try:\n  from app import core\nexcept ImportError:\n  import app.util.text',
      ['core.py', 'util/text.py'],
    ],
    ['for types alone', 'if TYPE_CHECKING:\n    from app.core import thing', ['core.py']],
    ['inside a function of a class', 'class A:\n  def f(self):\n    from app.core import thing', ['core.py']],
    ['after a fault of syntax of another version', 'print "old"\nfrom app import core\n', ['core.py']],
    [
      'with Windows line ends and a byte-order mark',
      '\uFEFFimport app.core\r\nimport app.util.text\r\n',
      ['core.py', 'util/text.py'],
    ],
    [
      'nothing of comments and documentation',
      '"""\nimport app.core\n"""\n# from app import core\nx = "import app.core"',
      [],
    ],
    ['nothing of packages that are installed', 'import numpy as np\nfrom django.db import models\nimport core', []],
  ])('%s', async (_, text, imported) => {
    const found = await importsOfFirst({ 'tests/test_app.py': text, ...APP });
    expect(found).toEqual(imported.map((file) => `src/app/${file}`));
  });

  it('relatively, from modules and from the file of a package', async () => {
    const text = 'from . import core\nfrom .util import text\nfrom .util.dates import today\n';
    const inside = ['src/app/core.py', 'src/app/util/dates.py', 'src/app/util/text.py'];
    expect(await importsOfFirst({ 'src/app/main.py': text, ...APP })).toEqual(inside);
    expect(await importsOfFirst({ ...APP, 'src/app/__init__.py': '', 'src/app/util/__init__.py': text })).toEqual([]);
    const up = 'from ..core import thing\nfrom .. import util\nfrom . import text\n';
    expect(await importsOfFirst({ 'src/app/util/more.py': up, ...APP })).toEqual([
      'src/app/core.py',
      'src/app/util/__init__.py',
      'src/app/util/text.py',
    ]);
  });

  it('nothing by more dots than there are packages', async () => {
    expect(await importsOfFirst({ 'a.py': 'from .. import b\nfrom ...b import c\n', 'b.py': '' })).toEqual([]);
    expect(await importsOfFirst({ 'pkg/a.py': 'from .. import b\n', 'b.py': '', 'pkg/b.py': '' })).toEqual(['b.py']);
  });

  it('a package before a module beside it, and stubs where there is no source', async () => {
    const files = {
      'both.py': '',
      'both/__init__.py': '',
      'typed.pyi': '',
      'stubs/__init__.pyi': '',
      'stubs/x.pyi': '',
    };
    expect(await importsOfFirst({ 'a.py': 'import both, typed\nfrom stubs import x, y\n', ...files })).toEqual([
      'both/__init__.py',
      'stubs/__init__.pyi',
      'stubs/x.pyi',
      'typed.pyi',
    ]);
  });

  it('the own distribution first where several of the repository have a module of that name', async () => {
    const files = {
      'one/setup.py': '',
      'one/shared.py': '',
      'two/setup.cfg': '',
      'two/shared.py': '',
      'two/src/deep.py': '',
    };
    expect(await importsOfFirst({ 'two/run.py': 'import shared, deep\n', ...files })).toEqual([
      'two/shared.py',
      'two/src/deep.py',
    ]);
  });
});
