import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { grant, startTestConsole, type TestConsole, unique } from '../../testing/console.ts';

let here: TestConsole;
beforeAll(async () => {
  here = await startTestConsole();
});
afterAll(() => here.stop());

describe('a member of a project', () => {
  it('is put on a plan by the administrator of the project', async () => {
    const project = unique('project');
    const administrator = await here.holder({ role: 'administrateur-de-projet', project });
    const { username } = await here.holder();
    const stranger = await here.holder();
    const id = (await here.pair.create('/api/plans', { slug: unique('plan'), name: 'p', monthlyCap: 5 })).id;
    await here.pair.create(`/api/projects/${project}/members`, { subject: username });
    const put = (subject: string, plan: unknown) =>
      administrator.send('PUT', `/api/projects/${project}/members/${subject}/plan`, { plan });
    expect((await put(username, id)).json).toEqual({ subject: username, plan: id });
    const { json } = await administrator.get(`/api/projects/${project}/member-plans`);
    expect(json.memberPlans).toEqual([{ subject: username, plan: id, registered: true }]);
    expect(json.plans.map((plan: { id: string }) => plan.id)).toContain(id);
    expect((await put(username, null)).json.plan).toBeNull();
    expect((await put(username, '01890000-0000-7000-8000-000000000000')).json.fields).toHaveProperty('plan');
    expect((await put(stranger.username, id)).status).toBe(404);
    await grant(here.database, 'nobody-here', 'utilisateur-standard');
    expect((await put('nobody-here', id)).status).toBe(404);
  });
});
