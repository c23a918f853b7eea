import type { ExportRecord } from '@gateway/database/gateway';
import { budgetAlertEvent } from './budget-alert.ts';
import {
  actorOf,
  baseOf,
  ENTITY_MANAGEMENT,
  type EventClass,
  type OcsfEvent,
  optional,
  USER_ACCESS_MANAGEMENT,
  valueOf,
} from './event.ts';

type ActionRecord = Extract<ExportRecord, { source: 'actions' }>;

/** Activities of Entity Management, by the verb of the action. A verb without an entry keeps its own name. */
const ACTIVITIES: Readonly<Record<string, readonly [id: number, name: string]>> = {
  create: [1, 'Create'],
  add: [1, 'Create'],
  install: [3, 'Update'],
  change: [3, 'Update'],
  rotate: [3, 'Update'],
  plan: [3, 'Update'],
  lift: [3, 'Update'],
  revoke: [3, 'Update'],
  delete: [4, 'Delete'],
  remove: [4, 'Delete'],
};
const PRIVILEGES: Readonly<Record<string, readonly [id: number, name: string]>> = {
  grant: [1, 'Assign Privileges'],
  revoke: [2, 'Revoke Privileges'],
};

/** An administration action: Entity Management with the old value and the new; a role granted or revoked: User Access Management. */
export function actionEvent(record: ActionRecord): OcsfEvent {
  const { action } = record;
  if (action.action === 'budget.alert') return budgetAlertEvent(record);
  const [thing = '', verb = ''] = action.action.split('.', 2);
  const aboutRole = thing === 'role' && PRIVILEGES[verb] !== undefined;
  const [activity, activityName] = (aboutRole ? PRIVILEGES : ACTIVITIES)[verb] ?? [99, action.action];
  const refused = verb === 'refuse';
  return {
    ...common(record, aboutRole ? USER_ACCESS_MANAGEMENT : ENTITY_MANAGEMENT, activity, activityName, refused),
    ...(aboutRole ? roleOf(record) : entityOf(record, thing)),
  };
}

function common(
  { action, position, digest }: ActionRecord,
  of: EventClass,
  activity: number,
  activityName: string,
  refused: boolean,
): OcsfEvent {
  return {
    ...baseOf({
      class: of,
      activity,
      activityName,
      severity: refused ? 2 : 1,
      status: refused ? 2 : 1,
      at: action.at,
      message: `${action.author}: ${action.action} of ${action.target}`,
      uid: action.id,
      log: 'administration_actions',
      position,
      correlation: null,
    }),
    status_code: action.action,
    actor: actorOf(action.author, null, action.component),
    unmapped: { chain_digest: digest, ...(action.shortened ? { left_out: ['values'] } : {}) },
  };
}

function entityOf({ action }: ActionRecord, thing: string): OcsfEvent {
  const entity = { name: action.target, type: thing };
  return {
    entity: { ...entity, ...optional('data', valueOf(action.oldValue)) },
    ...optional('entity_result', action.newValue && { ...entity, ...optional('data', valueOf(action.newValue)) }),
  };
}

function roleOf({ action }: ActionRecord): OcsfEvent {
  const assignment = valueOf(action.newValue) ?? valueOf(action.oldValue) ?? {};
  const role = assignment['role'];
  const project = assignment['project'];
  const subject = action.target.replace(/^subject:/, '');
  return {
    user: { name: subject, uid: subject },
    privileges: [typeof role === 'string' ? role : 'role'],
    ...optional('resource', typeof project === 'string' ? { name: project, type: 'project' } : null),
  };
}
