import { createHash } from 'node:crypto';
import type { CollectorEvent } from '../destinations/outgoing.ts';
import { actorOf, baseOf, ENTITY_MANAGEMENT } from '../ocsf/event.ts';
import type { PublishedCheckpoint } from './publisher.ts';

/** The checkpoint as an event of the log export: a collector outside of the operator's reach keeps it for the auditor. */
export function checkpointEvent({ at, positions, note, treeNotes }: PublishedCheckpoint): CollectorEvent {
  const uid = createHash('sha256')
    .update(note + Object.values(treeNotes).join(''))
    .digest('hex');
  const ends = positions.map(({ chain, sequence }) => `${chain} ${sequence}`).join(', ');
  const event = {
    ...baseOf({
      class: ENTITY_MANAGEMENT,
      activity: 99,
      activityName: 'journal.checkpoint',
      severity: 1,
      status: 1,
      at,
      message: `Checkpoint of the logs: ${ends}`,
      uid,
      log: 'checkpoints',
      position: positions[0]?.sequence ?? 0n,
      correlation: null,
    }),
    status_code: 'journal.checkpoint',
    actor: actorOf(null, null, 'gateway'),
    entity: { name: 'checkpoint', type: 'journal', data: { note, checkpoints: treeNotes } },
  };
  return { source: 'checkpoints', uid, time: Date.parse(at), severity: 1, json: JSON.stringify(event) };
}
