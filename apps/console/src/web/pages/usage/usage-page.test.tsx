import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import { given, held, listed, reads, refused, unreachable } from '../../testing/api.ts';
import { show } from '../../testing/show.tsx';
import { cellsOf } from '../../testing/table.ts';
import { nothingUsed, summary, usagePart, usageRecord } from './testing/usage.ts';
import { UsagePage } from './usage-page.tsx';

/** Ten days, so that nothing here depends on today. */
const TEN_DAYS = 'period=custom&from=2026-01-01T00%3A00%3A00Z&until=2026-01-11T00%3A00%3A00Z';
const SUMMARY = '/api/usage/summary';

beforeEach(() => {
  given('GET /api/usage/filters', {
    subjects: ['ada', 'bob'],
    endpoints: ['chat', 'code'],
    models: [
      { slug: 'small', provider: 'lab' },
      { slug: 'small', provider: 'own' },
      { slug: 'gone', provider: null },
    ],
  });
  given(`GET ${SUMMARY}`, summary());
  given('GET /api/usage', listed('usage', [usageRecord()]));
  given('GET /api/engine-results', { engines: [] });
});

async function opened(query = TEN_DAYS) {
  const { user, queries } = show(<UsagePage />, `#usage?${query}`);
  await screen.findByRole('table', { name: 'Usage records' });
  await screen.findByText('1,234');
  return { user, queries };
}
const asked = () => reads(SUMMARY).at(-1);
const choice = (name: string) => screen.getByRole<HTMLInputElement>('combobox', { name });
const records = () => cellsOf('Usage records').map((cells) => cells.map((text) => text.replaceAll(/\s+/g, ' ').trim()));

describe('the sums of a period', () => {
  it('are calls, tokens, cost and latency; a sum of euros has its exact value in its title', async () => {
    given(
      `GET ${SUMMARY}`,
      summary({ totals: { ...summary().totals, cachedInputTokens: 2000, cacheWriteTokens: 30, cost: 0.004_321 } }),
    );
    await opened();
    const region = within(screen.getByRole('region', { name: 'Usage' }));
    expect(region.getByText('5,000,000')).toBeDefined();
    expect(region.getByText('2,000 cached, 30 written to a cache')).toBeDefined();
    expect(region.getByText('< €0.01').title).toBe('€0.004321');
    expect(region.getByText('950 ms')).toBeDefined();
  });

  it('reserve their space while they load', async () => {
    const letGo = held(`GET ${SUMMARY}`, summary());
    show(<UsagePage />, `#usage?${TEN_DAYS}`);
    expect(await screen.findByRole('status', { name: 'Usage: loading' })).toBeDefined();
    letGo();
    await screen.findByText('1,234');
    expect(screen.queryByRole('status', { name: 'Usage: loading' })).toBeNull();
  });

  it('of a period without a call have neither charts nor parts', async () => {
    given(`GET ${SUMMARY}`, nothingUsed());
    given('GET /api/usage', listed('usage', []));
    show(<UsagePage />, `#usage?${TEN_DAYS}`);
    expect(await screen.findByText('No call was relayed in this period.')).toBeDefined();
    expect(await screen.findByText('€0.00')).toBeDefined();
    expect(screen.getByText('–')).toBeDefined();
    expect([screen.queryByRole('slider'), screen.queryByRole('table')]).toEqual([null, null]);
  });

  it('that cannot be read again stay, with the moment they are of', async () => {
    const { queries } = await opened();
    given(`GET ${SUMMARY}`, unreachable);
    await queries.invalidateQueries();
    // The period before has the same address. Outside of a page, each says it at its place.
    const [alert] = await screen.findAllByRole('alert');
    expect(alert?.textContent).toMatch(/The console cannot be reached\..*The data below was read at \d+ \w+ \d{4}/);
    expect(screen.getByText('1,234')).toBeDefined();
  });

  it('may be read where the records may not', async () => {
    given('GET /api/usage', refused(403, 'You hold no role that carries usage:lire here.'));
    given('GET /api/usage/filters', refused(403, 'You hold no role that carries usage:lire here.'));
    const { user } = show(<UsagePage />, `#usage?${TEN_DAYS}`);
    expect(await screen.findByText('No role of yours reads this')).toBeDefined();
    await screen.findByText('1,234');
    expect(screen.queryByRole('button', { name: 'Export' })).toBeNull();
    // The names to choose from are those that the sums contain.
    await user.click(choice('Model'));
    expect((await screen.findAllByRole('option')).map(({ textContent }) => textContent)).toEqual(['small · lab']);
  });
});

describe('the filters', () => {
  it('distinguish two models of one name by their provider', async () => {
    const { user } = await opened();
    await user.click(choice('Model'));
    expect((await screen.findAllByRole('option')).map(({ textContent }) => textContent)).toEqual([
      'small · lab',
      'small · own',
      'gone',
    ]);
    await user.click(screen.getByRole('option', { name: 'small · own' }));
    await waitFor(() => expect(asked()).toMatchObject({ model: 'small', provider: 'own' }));
    expect(new URLSearchParams(location.hash.split('?')[1]).get('model')).toBe('own/small');
    expect(reads('/api/usage').at(-1)).toMatchObject({ model: 'small', provider: 'own' });
  });

  it('name a deleted model without a provider, and a name with a slash whole', async () => {
    await opened(`${TEN_DAYS}&model=%2Forg%2Fsmall`);
    expect(asked()).toMatchObject({ model: 'org/small' });
    expect(asked()).not.toHaveProperty('provider');
  });

  it('show a name of the address that nothing is of any more, and take it away', async () => {
    const { user } = await opened(`${TEN_DAYS}&subject=zoe`);
    expect(choice('Subject').value).toBe('zoe');
    expect(asked()).toMatchObject({ subject: 'zoe' });
    const clear = choice('Subject').closest('.mantine-InputWrapper-root')?.querySelector('button');
    await user.click(clear as HTMLElement);
    await waitFor(() => expect(asked()).not.toHaveProperty('subject'));
    expect(location.hash).toBe(`#usage?${TEN_DAYS}`);
  });

  it('are taken from the parts too: a click shows one alone', async () => {
    const { user } = await opened();
    await user.click(screen.getByRole('button', { name: 'small lab' }));
    await waitFor(() => expect(asked()).toMatchObject({ model: 'small', provider: 'lab' }));
    await user.click(screen.getByRole('button', { name: 'ada' }));
    await waitFor(() => expect(asked()).toMatchObject({ subject: 'ada', model: 'small' }));
  });

  it('choose the exported file with the sums and the records', async () => {
    const { user } = await opened(`${TEN_DAYS}&endpoint=chat`);
    await user.click(screen.getByRole('button', { name: 'Export' }));
    const href = (await screen.findByRole('menuitem', { name: 'CSV' })).getAttribute('href') ?? '';
    expect(Object.fromEntries(new URLSearchParams(href.split('?')[1]))).toEqual({
      endpoint: 'chat',
      from: '2026-01-01T00:00:00Z',
      until: '2026-01-11T00:00:00Z',
      format: 'csv',
    });
  });
});

describe('the parts of a period', () => {
  it('are the dearest eight of each kind, and say of how many', async () => {
    const endpoints = Array.from({ length: 10 }, (_, at) =>
      usagePart(`endpoint-${at}`, { requests: at === 0 ? 1 : 20_000 }),
    );
    given(`GET ${SUMMARY}`, summary({ endpoints, counts: { endpoints: 4321, models: 1, subjects: 1 } }));
    await opened();
    const rows = within(screen.getByRole('table', { name: 'By endpoint' })).getAllByRole('row');
    expect([rows.length, rows[0]?.textContent, rows[1]?.textContent]).toEqual([
      8,
      'endpoint-01 call€0.50',
      'endpoint-120,000 calls€0.50',
    ]);
    expect(screen.getByText('The first 8 of 4,321: choose any other above.')).toBeDefined();
  });
});

describe('the records', () => {
  it('show what each call used and cost, and what is special about it', async () => {
    given(
      'GET /api/usage',
      listed('usage', [
        usageRecord(),
        usageRecord({
          id: 'u2',
          usageSource: 'estimated',
          interrupted: true,
          pricedAs: 'month-end',
          latencyMs: 12_345,
        }),
        usageRecord({ id: 'u3', usageSource: 'none', provider: null, cost: 0 }),
      ]),
    );
    await opened();
    expect(records()).toEqual([
      ['5 Jan 2026, 08:00:00', 'ada', '/chat', 'small lab', '1,000', '100', '0', '200', '€0.001200', '1,500 ms', ''],
      [
        '5 Jan 2026, 08:00:00',
        'ada',
        '/chat',
        'small lab',
        '1,000',
        '100',
        '0',
        '200',
        '€0.001200',
        '12.3 s',
        'estimated interrupted month-end prices',
      ],
      [
        '5 Jan 2026, 08:00:00',
        'ada',
        '/chat',
        'small',
        '1,000',
        '100',
        '0',
        '200',
        '€0.000000',
        '1,500 ms',
        'no usage',
      ],
    ]);
    expect(screen.getAllByRole('link', { name: 'ada' })[0]?.getAttribute('href')).toBe('#users?search=ada');
  });

  it.each([
    [{}, 'Per million tokens: input €1.00, cached €0.00, cache write €0.00, output €2.00. Current prices.'],
    [
      { pricedAs: 'month-end' as const, cachedInputPrice: 0.0000005 },
      'Per million tokens: input €1.00, cached €0.50, cache write €0.00, output €2.00. Prices at the end of that month.',
    ],
    [{ inputPrice: null, outputPrice: null }, 'The prices of this model are no longer known.'],
  ])('say at which prices they cost what they cost: %j', async (but, title) => {
    given('GET /api/usage', listed('usage', [usageRecord(but)]));
    await opened();
    expect(screen.getByTitle(title).textContent).toBe('€0.001200');
  });

  it('are sorted by cost, the dearest first', async () => {
    const { user } = await opened();
    await user.click(
      within(screen.getByRole('table', { name: 'Usage records' })).getByRole('button', { name: 'Cost' }),
    );
    await waitFor(() => expect(reads('/api/usage').at(-1)).toMatchObject({ sort: '-cost' }));
    expect(reads(SUMMARY).every(({ sort }) => sort === undefined)).toBe(true);
  });
});
