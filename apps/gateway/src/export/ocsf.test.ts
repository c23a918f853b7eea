import type { AgentAct, Decision, Detection } from '@gateway/contract';
import { describe, expect, it } from 'vitest';
import { eventOf } from './ocsf.ts';
import { ocsfFaults } from './testing/ocsf-schema.ts';
import { actionRecord, actRecord, decisionRecord, detectionRecord } from './testing/records.ts';

const REASONS: Decision['reason'][] = ['role', 'key-unknown', 'secret-detected', 'session-revoked', 'undecided'];

describe('a decision', () => {
  // log-17
  it('is API Activity with decision, subject, target and source', () => {
    const record = decisionRecord({
      id: '0199f0e0-0000-7000-8000-000000000001',
      at: '2026-11-21T10:00:00.007Z',
      keyId: '0199f0e0-0000-7000-8000-000000000002',
      session: 's-1',
      requestId: 'r-1',
      policyRevision: 4,
    });
    expect(eventOf(record)).toEqual({
      activity_id: 99,
      activity_name: 'inference:appeler',
      category_uid: 6,
      category_name: 'Application Activity',
      class_uid: 6003,
      class_name: 'API Activity',
      type_uid: 600_399,
      type_name: 'API Activity: Other',
      time: Date.UTC(2026, 10, 21, 10, 0, 0, 7),
      severity_id: 1,
      severity: 'Informational',
      status_id: 1,
      status: 'Success',
      status_code: 'role',
      message: 'caller: inference:appeler on endpoint:chat granted (role)',
      metadata: {
        version: '1.4.0',
        product: { name: 'gateway', vendor_name: 'gateway' },
        uid: '0199f0e0-0000-7000-8000-000000000001',
        correlation_uid: '0199f0e0-0000-7000-8000-000000000001',
        log_name: 'authorization_decisions',
        log_provider: 'gateway',
        sequence: 7,
        profiles: ['security_control'],
      },
      action_id: 1,
      action: 'Allowed',
      disposition_id: 1,
      disposition: 'Allowed',
      authorizations: [{ decision: 'granted', policy: { name: 'authorization policy', version: '4' } }],
      actor: { app_name: 'gateway', user: { name: 'caller', uid: 'caller' }, session: { uid: 's-1' } },
      api: {
        operation: 'inference:appeler',
        service: { name: 'gateway gateway' },
        request: { uid: 'r-1' },
        response: { code: 200, message: 'role' },
      },
      src_endpoint: { ip: '127.0.0.1' },
      resources: [{ name: 'endpoint:chat', type: 'endpoint' }],
      unmapped: {
        credential: 'key',
        key_id: '0199f0e0-0000-7000-8000-000000000002',
        roles: ['utilisateur-standard'],
        chain_digest: record.digest,
      },
    });
  });

  it('follows the schema for every reason, even for an unknown subject and source', () => {
    const nobody = { subject: null, credential: 'none', keyId: null, session: null, sourceAddress: null } as const;
    for (const reason of REASONS) {
      const outcome = reason === 'role' ? 'granted' : 'refused';
      for (const more of [{}, nobody, { component: 'console', resource: 'instance', detail: 'why' } as const])
        expect(ocsfFaults(eventOf(decisionRecord({ ...more, reason, outcome, status: 403 })))).toEqual([]);
    }
  });

  it('that refuses is a failure that was denied', () => {
    const refused = decisionRecord({ outcome: 'refused', reason: 'role-missing', status: 403, detail: 'no role' });
    expect(eventOf(refused)).toMatchObject({
      status_id: 2,
      status_detail: 'no role',
      severity_id: 2,
      action_id: 2,
      disposition_id: 2,
    });
  });
});

describe('an administration action', () => {
  it.each([
    ['provider.create', 3004, 1],
    ['provider.change', 3004, 3],
    ['provider.delete', 3004, 4],
    ['key.rotate', 3004, 3],
    ['member.add', 3004, 1],
    ['member.remove', 3004, 4],
    ['policy.install', 3004, 3],
    ['policy.refuse', 3004, 99],
    ['subject.revoke', 3004, 3],
    ['subject.lift', 3004, 3],
    ['role.grant', 3005, 1],
    ['role.revoke', 3005, 2],
    ['something.new', 3004, 99],
  ])('%s is of class %i, activity %i', (action, klass, activity) => {
    const event = eventOf(
      actionRecord({ action, target: 'subject:ada', newValue: '{"role":"auditeur","project":"p"}' }),
    );
    expect(event).toMatchObject({ class_uid: klass, activity_id: activity, status_code: action });
    expect(ocsfFaults(event)).toEqual([]);
  });

  it('contains author, old value and new value', () => {
    expect(eventOf(actionRecord())).toMatchObject({
      actor: { user: { name: 'root' }, app_name: 'console' },
      entity: { name: 'provider:engine', type: 'provider', data: { name: 'Old' } },
      entity_result: { name: 'provider:engine', type: 'provider', data: { name: 'New' } },
    });
  });

  it('names the role and its subject', () => {
    const granted = { action: 'role.grant', target: 'subject:ada', oldValue: null, newValue: '{"role":"auditeur"}' };
    expect(eventOf(actionRecord(granted))).toMatchObject({ user: { uid: 'ada' }, privileges: ['auditeur'] });
    const revoked = { action: 'role.revoke', target: 'subject:ada', oldValue: '{"role":"auditeur"}', newValue: null };
    expect(eventOf(actionRecord(revoked))).toMatchObject({ user: { uid: 'ada' }, privileges: ['auditeur'] });
  });

  // console-25
  it('of a budget alert is a Detection Finding of the account, graver at the cap', () => {
    const alert = (threshold: number) =>
      actionRecord({
        author: 'budget-alerts',
        action: 'budget.alert',
        target: 'subject:ada',
        oldValue: null,
        newValue: `{"cap":100,"month":"2026-11-01","plan":"team","spent":85.5,"threshold":${threshold}}`,
      });
    const event = eventOf(alert(80));
    expect(ocsfFaults(event)).toEqual([]);
    expect(event).toMatchObject({
      class_uid: 2004,
      severity_id: 2,
      is_alert: true,
      status_code: 'budget.alert',
      message: 'ada has spent 80 % of the cap of the month',
      metadata: { log_name: 'administration_actions', sequence: 8 },
      finding_info: { title: 'ada has spent 80 % of the cap of the month', types: ['budget'] },
      evidences: [
        {
          actor: { user: { uid: 'ada' } },
          data: { cap: 100, month: '2026-11-01', plan: 'team', spent: 85.5, threshold: 80 },
        },
      ],
      unmapped: { chain_digest: expect.any(String) as unknown },
    });
    expect(eventOf(alert(100))).toMatchObject({ severity_id: 3 });
  });

  it('follows the schema for any values', () => {
    for (const value of [null, '1', '"text"', '[1,2]', 'null', 'true', '{"a":{"b":[{}]}}'])
      for (const action of ['provider.change', 'role.grant', 'budget.alert'])
        expect(ocsfFaults(eventOf(actionRecord({ action, oldValue: value, newValue: value })))).toEqual([]);
  });

  it('notes a value that was omitted for its size', () => {
    const event = eventOf(actionRecord({ oldValue: null, newValue: null, shortened: true }));
    expect(event).toMatchObject({ unmapped: { left_out: ['values'] } });
  });
});

describe('a detection', () => {
  const responses: [Detection['response'], object][] = [
    ['block', { action_id: 2, disposition_id: 2, severity_id: 3 }],
    ['mask', { action_id: 1, disposition_id: 11, severity_id: 3 }],
    ['alert', { action_id: 1, disposition_id: 19, severity_id: 4 }],
  ];
  it.each(responses)('names the response of the policy (%s)', (response, said) => {
    for (const place of ['request', 'answer', 'output'] as const)
      for (const confidence of ['high', 'medium'] as const) {
        const event = eventOf(detectionRecord({ response, place, confidence }));
        expect(event).toMatchObject({ class_uid: 2004, ...said });
        expect(ocsfFaults(event)).toEqual([]);
      }
  });

  it('names kind, position and call, and of the value only its keyed digest', () => {
    const { detection, ...record } = detectionRecord({ rule: 'github-token', kind: 'access-token' });
    expect(eventOf({ ...record, detection })).toMatchObject({
      metadata: { uid: detection.id, correlation_uid: detection.decisionId },
      finding_info: { uid: detection.id, types: ['access-token'], analytic: { uid: 'github-token' } },
      evidences: [
        {
          actor: { user: { name: 'ada' }, session: { uid: 's-1' } },
          src_endpoint: { ip: '10.0.0.7' },
          data: { pointer: '/messages/0/content', start: 10, end: 50, length: 40, keyed_digest: detection.digest },
        },
      ],
      resources: [{ name: 'endpoint:chat', type: 'endpoint' }],
    });
  });

  it('follows the schema where its call is unknown', () => {
    expect(ocsfFaults(eventOf(detectionRecord({ pointer: null }, null)))).toEqual([]);
    const anonymous = { subject: null, resource: 'endpoint:x', session: null, sourceAddress: null };
    expect(ocsfFaults(eventOf(detectionRecord({}, anonymous)))).toEqual([]);
  });
});

describe('an act', () => {
  const outcomes: AgentAct['outcome'][] = ['succeeded', 'failed', 'refused', 'interrupted'];
  it.each(outcomes)('that ended as %s keeps to the schema', (outcome) => {
    for (const kind of ['path', 'command', 'host'] as const)
      for (const authorizedBy of ['policy', 'human', 'automatic'] as const) {
        const more = { outcome, authorizedBy, target: { kind, value: 'x' }, reason: 'because', parentSession: 'p' };
        const event = eventOf(actRecord(more));
        expect(ocsfFaults(event)).toEqual([]);
        expect(event).toMatchObject({
          class_uid: 6003,
          status_code: outcome,
          action_id: outcome === 'refused' ? 2 : 1,
          authorizations: [{ policy: { name: authorizedBy } }],
          resources: [{ name: 'x', type: kind }],
        });
      }
  });
});

describe('the schema that the tests compare events with', () => {
  it('finds what is missing, strange, or of another type', () => {
    const event = { ...eventOf(decisionRecord()) };
    expect(ocsfFaults({ ...event, actor: undefined })).toEqual(['/actor is required']);
    expect(ocsfFaults({ ...event, colour: 'red' })).toEqual(['/colour is not in the schema']);
    expect(ocsfFaults({ ...event, time: 'now' })).toEqual(['/time is no timestamp']);
    expect(ocsfFaults({ ...event, actor: {} })).toEqual(['/actor has none of app_name, user, session']);
    expect(ocsfFaults({ ...event, type_uid: 1 })).toHaveLength(1);
    expect(ocsfFaults({ ...event, type_name: 'API Activity: Other things' })).toHaveLength(1);
    expect(ocsfFaults({ ...event, class_name: 'Activity' })).toEqual(['class_name is not the caption of the class']);
    expect(ocsfFaults({ ...event, activity_id: 50 })).toHaveLength(2);
    expect(ocsfFaults({ ...event, activity_name: 'Other' })).toEqual([
      'activity_name does not say what is meant by 99',
    ]);
    expect(ocsfFaults({ ...event, severity: 'Grave' })).toEqual(['severity is not the caption of severity_id 1']);
    const { metadata } = event as { metadata?: object };
    expect(ocsfFaults({ ...event, metadata: { ...metadata, version: '1.3.0' } })).toHaveLength(1);
    expect(ocsfFaults({ ...event, metadata: { ...metadata, profiles: [] } })).toContain(
      '/action_id is not in the schema',
    );
    expect(ocsfFaults({ ...event, class_uid: 1 })).toHaveLength(1);
  });
});
