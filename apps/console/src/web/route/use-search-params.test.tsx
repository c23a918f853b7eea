import { screen, waitFor } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import { show } from '../testing/show.tsx';
import { ShownTab } from './use-route.ts';
import { minute, oneOf, text, useOpened, useSearchParams } from './use-search-params.ts';

const READERS = { subject: text, outcome: oneOf(['granted', 'refused']), from: minute };

function Filters() {
  const { values, set, setAll, clear } = useSearchParams(READERS);
  return (
    <>
      <p>{`Filters: ${JSON.stringify(values)}`}</p>
      <button type="button" onClick={() => set('subject', 'ada')}>
        Ada
      </button>
      <button type="button" onClick={() => set('subject', 'ada', true)}>
        Ada instead
      </button>
      <button type="button" onClick={() => setAll({ outcome: 'refused', from: '2026-01-31T08:00:00Z', subject: null })}>
        Refused of that day
      </button>
      <button type="button" onClick={clear}>
        Clear
      </button>
    </>
  );
}

const filters = () => JSON.parse(screen.getByText(/^Filters:/).textContent?.slice(9) ?? '') as object;
const press = (name: string) => screen.getByRole('button', { name });
let before = 0;
beforeEach(() => {
  before = history.length;
});
const steps = () => history.length - before;

describe('the filters of a page', () => {
  it.each([
    ['#audit?subject=ada&outcome=refused', { subject: 'ada', outcome: 'refused' }],
    ['#audit?outcome=everything&from=yesterday&colour=red', {}],
    ['#audit?subject=gwk_0123456789', {}],
    ['#audit?subject=&subject=ada', { subject: 'ada' }],
    ['#audit?from=2026-02-30T08:00:00Z', {}],
    ['#audit?subject=%E0%A4%A', { subject: '\ufffd%A' }],
  ])('are those of the address that it can use: %s', (address, used) => {
    show(<Filters />, address);
    expect(filters()).toEqual(used);
  });

  it('begin at the first page of every list, and keep what they do not know', async () => {
    const { user } = show(
      <Filters />,
      '#audit/decisions?page=2&at=x&acts.page=3&acts.at=y&rows=100&sort=-at&project=apollo',
    );
    await user.click(press('Ada'));
    expect(location.hash).toBe('#audit/decisions?rows=100&sort=-at&project=apollo&subject=ada');
  });

  it('change together as one step of the history', async () => {
    const { user } = show(<Filters />, '#audit?subject=ada');
    await user.click(press('Refused of that day'));
    expect([filters(), steps()]).toEqual([{ outcome: 'refused', from: '2026-01-31T08:00:00Z' }, 1]);
    history.back();
    await waitFor(() => expect(filters()).toEqual({ subject: 'ada' }));
  });

  it('can replace the last step, and make none where nothing changes', async () => {
    const { user } = show(<Filters />, '#audit');
    await user.click(press('Ada instead'));
    await user.click(press('Ada'));
    expect([location.hash, steps()]).toEqual(['#audit?subject=ada', 0]);
  });

  it('are all taken away at once', async () => {
    const { user } = show(<Filters />, '#audit/decisions?subject=ada&outcome=refused&page=2&at=x&rows=100');
    await user.click(press('Clear'));
    expect([location.hash, filters()]).toEqual(['#audit/decisions?rows=100', {}]);
  });

  it('name the tab that is shown where the address names none', async () => {
    const { user } = show(
      <ShownTab value="users">
        <Filters />
      </ShownTab>,
    );
    await user.click(press('Ada'));
    expect(location.hash).toBe('#users?subject=ada');
  });
});

describe('a form that an address opens', () => {
  function Form() {
    const [opened, { open, close }] = useOpened('plan');
    return (
      <>
        <p>{opened ? 'open' : 'closed'}</p>
        <button type="button" onClick={opened ? close : open}>
          Toggle
        </button>
      </>
    );
  }

  it('is opened once: going back, or a reload, does not open it again', async () => {
    const { user, unmount } = show(<Form />, '#plans?open=plan&page=2&at=x');
    await screen.findByText('open');
    expect([location.hash, steps()]).toEqual(['#plans?page=2&at=x', 0]);
    await user.click(press('Toggle'));
    const address = location.hash;
    unmount();
    show(<Form />, address);
    expect(screen.getByText('closed')).toBeDefined();
  });

  it('is opened again by the same command, and not by that of another form', async () => {
    const { user } = show(<Form />, '#plans');
    for (const [address, state] of [
      ['#plans?open=plan', 'open'],
      ['#plans?open=user', 'closed'],
      ['#plans?open=plan', 'open'],
    ] as const) {
      location.hash = address;
      await screen.findByText(state);
      expect(location.hash).toBe(state === 'open' ? '#plans' : address);
      if (state === 'open') await user.click(press('Toggle'));
    }
  });
});
