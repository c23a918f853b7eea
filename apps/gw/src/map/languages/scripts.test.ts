import { describe, expect, it } from 'vitest';
import { importsOfFirst } from '../testing/project.ts';

describe('a PHP file imports', () => {
  const SOURCES = {
    'src/Cart/Total.php': '<?php\ndeclare(strict_types=1);\nnamespace Acme\\Cart;\nfinal readonly class Total {}\n',
    'src/Cart/Kind.php': '<?php namespace Acme\\Cart; enum Kind: string { case A = "a"; }',
    'src/Cart/HasTotal.php': '<?php namespace Acme\\Cart { trait HasTotal {} interface Countable {} }',
    'src/functions.php': '<?php\nnamespace Acme\\Text;\nfunction trimmed() {}\nconst LIMIT = 1, FLOOR = 2;\n',
    'src/boot.php': '<?php return 1;',
    'lib/old.php': '<?php class Old {}',
  };
  it.each<[string, string, readonly string[]]>([
    [
      'several names of one statement',
      'use Acme\\Cart\\Total, Acme\\Cart\\Kind as K;',
      ['src/Cart/Kind.php', 'src/Cart/Total.php'],
    ],
    [
      'a group over lines with comments',
      'use Acme\\Cart\\{\n  Total, // one\n  Kind, # two\n};',
      ['src/Cart/Kind.php', 'src/Cart/Total.php'],
    ],
    ['from the root', 'use \\Acme\\Cart\\Total;', ['src/Cart/Total.php']],
    [
      'functions and constants',
      'use function Acme\\Text\\trimmed;\nuse const Acme\\Text\\FLOOR;',
      ['src/functions.php'],
    ],
    ['a group of several kinds', 'use Acme\\Text\\{function trimmed, const LIMIT};', ['src/functions.php']],
    ['traits and interfaces', 'use Acme\\Cart\\HasTotal;\nclass A { use HasTotal; }', ['src/Cart/HasTotal.php']],
    [
      'files beside it and of the project',
      "require 'boot.php';\ninclude_once('lib/old.php');",
      ['lib/old.php', 'src/boot.php'],
    ],
    [
      'files by the directory of the file',
      "require_once dirname(__FILE__) . '/boot.php';\nif (X) include __DIR__ . '/../lib/old.php';",
      ['lib/old.php', 'src/boot.php'],
    ],
    ['from templates', '?><h1><?= $x ?></h1><?php use Acme\\Cart\\Total; ?>', ['src/Cart/Total.php']],
    [
      'nothing of comments, texts and other namespaces',
      '// use Acme\\Cart\\Total;\n$s = "use Acme\\Cart\\Total;";\nuse Other\\Total;\nrequire $file;',
      [],
    ],
  ])('%s', async (_, text, imported) => {
    expect(await importsOfFirst({ 'src/A.php': `<?php\n${text}\n`, ...SOURCES })).toEqual(imported);
  });

  it('types of its own namespace, and of none from none', async () => {
    const own = '<?php\nnamespace Acme\\Cart;\nclass Cart { private Total $t; use HasTotal; }\n';
    expect(await importsOfFirst({ 'src/Cart.php': own, ...SOURCES })).toEqual([
      'src/Cart/HasTotal.php',
      'src/Cart/Total.php',
    ]);
    expect(await importsOfFirst({ 'a.php': '<?php\nnew Old(); new Total();\n', ...SOURCES })).toEqual(['lib/old.php']);
  });
});

describe('a Ruby file imports', () => {
  const SOURCES = {
    Gemfile: "source 'https://gems.example'\n",
    'lib/shop.rb': 'module Shop\n  class Cart; end\nend\n',
    'lib/shop/line.rb': 'class Shop::Line\nend\n',
    'app/models/stock.rb': 'class Stock < Base\n  Limit = 1\nend\n',
    'app/models/twice.rb': 'class Twice; end\n',
    'app/other/twice.rb': 'class Twice; end\n',
  };
  it.each<[string, string, readonly string[]]>([
    [
      'in brackets, with quotes of both kinds',
      'require(\'shop\')\nrequire_relative("../lib/shop/line")',
      ['lib/shop.rb', 'lib/shop/line.rb'],
    ],
    [
      'under a condition',
      "require 'shop' if ENV['X']\nbegin\n  require 'shop/line'\nrescue LoadError\nend",
      ['lib/shop.rb', 'lib/shop/line.rb'],
    ],
    ['a file with its ending', "load 'lib/shop.rb'", ['lib/shop.rb']],
    ['a constant that one file declares', 'Stock.new', ['app/models/stock.rb']],
    [
      'a parent class and a mixed-in module',
      'class A < Stock\n  include Shop\nend',
      ['app/models/stock.rb', 'lib/shop.rb'],
    ],
    ['nothing by a constant that two files declare', 'Twice.new', []],
    [
      'nothing of comments, texts and gems',
      "# require 'shop'\n=begin\nrequire 'shop'\n=end\nputs 'Stock'\nrequire 'rails'",
      [],
    ],
    [
      'around a fault of syntax',
      "require 'shop'\nclass A\n  def f\n  end\nrequire 'shop/line'\n",
      ['lib/shop.rb', 'lib/shop/line.rb'],
    ],
  ])('%s', async (_, text, imported) => {
    expect(await importsOfFirst({ 'bin/a.rb': `${text}\n`, ...SOURCES })).toEqual(imported);
  });
});
