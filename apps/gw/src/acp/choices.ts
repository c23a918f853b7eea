import type { SessionConfigOption, SessionModeState } from '@agentclientprotocol/sdk';
import type { Mode } from '../agent/types.ts';
import { WrongUsage } from '../process/fault.ts';

const MODES: readonly { readonly id: Mode; readonly name: string; readonly description: string }[] = [
  { id: 'normal', name: 'Normal', description: 'Asks before anything is changed or run' },
  { id: 'plan', name: 'Plan', description: 'Changes nothing' },
  { id: 'auto', name: 'Auto', description: 'Runs every tool that is not excluded, without asking' },
];

export function modesOf(mode: Mode): SessionModeState {
  return { currentModeId: mode, availableModes: MODES.map((each) => ({ ...each })) };
}

export function modeNamed(id: string): Mode {
  const mode = MODES.find((each) => each.id === id);
  if (mode === undefined)
    throw new WrongUsage(`There is no mode ${JSON.stringify(id)}. There are: normal, plan, auto.`);
  return mode.id;
}

/** Mode and model as options. Editors that show these leave the modes above out. */
export function optionsOf(mode: Mode, model: string, models: readonly string[]): SessionConfigOption[] {
  return [
    {
      type: 'select',
      id: 'mode',
      name: 'Mode',
      category: 'mode',
      currentValue: mode,
      options: MODES.map(({ id, name, description }) => ({ value: id, name, description })),
    },
    {
      type: 'select',
      id: 'model',
      name: 'Model',
      category: 'model',
      currentValue: model,
      options: models.map((name) => ({ value: name, name })),
    },
  ];
}
