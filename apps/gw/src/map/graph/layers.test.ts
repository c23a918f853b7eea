import { describe, expect, it } from 'vitest';
import { type Layer, violationsOf } from './layers.ts';

const found = (layers: readonly Layer[], ...arrows: readonly string[]): readonly string[] => {
  const imports = new Map<string, Set<string>>();
  for (const arrow of arrows) {
    const [from = '', to = ''] = arrow.split(' -> ');
    imports.set(from, new Set([...(imports.get(from) ?? []), to]));
  }
  return violationsOf(layers, imports).map(
    ({ from, to, fromLayer, toLayer }) => `${from} -> ${to}: ${fromLayer} -> ${toLayer}`,
  );
};
const layer = (name: string, paths = [`${name}/**`], imports?: readonly string[]): Layer => ({ name, paths, imports });

describe('the layers of a project', () => {
  it('let a layer import itself and all that follow it', () => {
    const layers = [layer('top'), layer('middle'), layer('low')];
    expect(found(layers, 'top/a.ts -> top/b.ts', 'top/a.ts -> middle/a.ts', 'top/a.ts -> low/deep/a.ts')).toEqual([]);
    expect(found(layers, 'low/a.ts -> top/a.ts', 'middle/a.ts -> top/a.ts', 'low/a.ts -> middle/a.ts')).toEqual([
      'low/a.ts -> middle/a.ts: low -> middle',
      'low/a.ts -> top/a.ts: low -> top',
      'middle/a.ts -> top/a.ts: middle -> top',
    ]);
  });

  it('let a layer that names others import those alone, wherever they stand', () => {
    const layers = [layer('top'), layer('middle', ['middle/**'], ['top']), layer('low')];
    expect(found(layers, 'middle/a.ts -> top/a.ts', 'middle/a.ts -> middle/b.ts')).toEqual([]);
    expect(found(layers, 'middle/a.ts -> low/a.ts')).toEqual(['middle/a.ts -> low/a.ts: middle -> low']);
  });

  it('let files of no layer import and be imported', () => {
    expect(
      found([layer('top'), layer('low')], 'free.ts -> top/a.ts', 'low/a.ts -> free.ts', 'low/a.ts -> a/top/b.ts'),
    ).toEqual([]);
  });

  it('count a file in the first layer that it fits', () => {
    const layers = [
      layer('tests', ['**/*.test.ts']),
      layer('app', ['app/*.ts', 'lib/{x,y}/**']),
      layer('rest', ['**']),
    ];
    expect(
      found(layers, 'app/a.ts -> app/a.test.ts', 'app/a.test.ts -> app/a.ts', 'lib/x/a.ts -> app/deep/a.ts'),
    ).toEqual(['app/a.ts -> app/a.test.ts: app -> tests']);
    expect(found(layers, 'app/deep/a.ts -> lib/y/a.ts')).toEqual(['app/deep/a.ts -> lib/y/a.ts: rest -> app']);
  });
});
