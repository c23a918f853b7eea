import { join } from 'node:path';
import { readYaml } from '../../configuration/yaml-text.ts';
import { readText } from '../../files/reading.ts';
import type { Layer } from '../../map/graph/layers.ts';
import { WrongUsage } from '../../process/fault.ts';
import * as s from '../../schema/index.ts';

export const LAYERS_FILE = '.gateway/layers.yaml';
const EXAMPLE = 'layers: [{ name: apps, paths: ["apps/**"] }, { name: packages, paths: ["packages/**"] }]';

const SHAPE = s.strictObject({
  layers: s.array(
    s.strictObject({
      name: s.string({ min: 1 }),
      paths: s.array(s.string({ min: 1 }), { min: 1 }),
      imports: s.array(s.string()).optional(),
    }),
    { min: 1 },
  ),
});

/** Reads the layers of a project, from the top down. Throws `WrongUsage` with the position of the fault. */
export async function readLayers(project: string): Promise<readonly Layer[]> {
  const read = await readText(join(project, LAYERS_FILE));
  if (read.state === 'absent')
    throw new WrongUsage(`--check-layers: ${LAYERS_FILE} does not exist. Write one: ${EXAMPLE}`);
  if (read.state !== 'read') throw new WrongUsage(`${LAYERS_FILE} cannot be read (${read.state}).`);
  const yaml = readYaml(read.text);
  const [fault] = yaml.faults;
  if (fault !== undefined) throw new WrongUsage(`${LAYERS_FILE}, line ${fault.line}: ${fault.message}`);
  const parsed = SHAPE.check(yaml.data);
  if (!parsed.ok) {
    const [issue] = parsed.issues;
    const line = yaml.placeOf(issue?.path ?? []).line;
    throw new WrongUsage(
      `${LAYERS_FILE}, line ${line}: ${(issue?.path ?? []).join('.') || 'it'}: ${issue?.message ?? ''}`,
    );
  }
  const { layers } = parsed.value;
  const names = new Set(layers.map(({ name }) => name));
  for (const { name, imports = [] } of layers) {
    const unknown = imports.find((each) => !names.has(each));
    if (unknown !== undefined)
      throw new WrongUsage(`${LAYERS_FILE}: layer ${name} imports ${unknown}, which is not a layer.`);
  }
  return layers;
}
