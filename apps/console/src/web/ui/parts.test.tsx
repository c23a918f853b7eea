import { screen } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { ApiError } from '../api/request.ts';
import { show } from '../testing/show.tsx';
import { ExportLinks } from './export-links.tsx';
import { Parts } from './parts.tsx';
import { Section } from './section.tsx';
import { useDraft } from './use-draft.ts';

const PARTS = {
  first: { label: 'First part', part: () => <p>First is shown</p> },
  second: { label: 'Second part', part: () => <p>Second is shown</p> },
};

describe('a tab of several parts', () => {
  const parts = <Parts of="things" label="What to read" parts={PARTS} />;

  it.each([
    ['#things', 'First is shown'],
    ['#things/second?page=2', 'Second is shown'],
    ['#things/unknown', 'First is shown'],
    ['#things/toString', 'First is shown'],
  ])('%s shows the part of the address, or the first', (address, text) => {
    show(parts, address);
    expect(screen.getByText(text)).toBeDefined();
  });

  it('goes to another part, keeping of the address the project alone; back returns', async () => {
    const { user } = show(parts, '#things?project=apollo&page=2');
    await user.click(screen.getByRole('radio', { name: 'Second part' }));
    expect(location.hash).toBe('#things/second?project=apollo');
    expect(screen.getByText('Second is shown')).toBeDefined();
    history.back();
    expect(await screen.findByText('First is shown')).toBeDefined();
    expect(location.hash).toBe('#things?project=apollo&page=2');
  });
});

describe('a section', () => {
  const section = (error: ApiError | null) => (
    <Section
      title="Plans"
      about="What one may spend."
      actions={<button type="button">Create</button>}
      filters={<input />}
      reading={{ error }}
    >
      <p>Content</p>
    </Section>
  );

  it('has a heading, and its actions and filters', () => {
    show(section(null));
    expect(screen.getByRole('region', { name: 'Plans' })).toBeDefined();
    expect(screen.getByRole('heading', { level: 2, name: 'Plans' })).toBeDefined();
    expect([screen.queryByRole('button'), screen.queryByRole('textbox')]).not.toContain(null);
  });

  it('offers nothing to do to a reader without the right, but does after another failure', () => {
    const { again } = show(section(new ApiError(403, 'Not permitted.')));
    expect([screen.queryByRole('button'), screen.queryByRole('textbox')]).toEqual([null, null]);
    expect(screen.getByText('Content')).toBeDefined();
    again(section(new ApiError(503, 'Down.')));
    expect(screen.getByRole('button', { name: 'Create' })).toBeDefined();
  });
});

describe('an export', () => {
  it('has all rows that the filters choose, as CSV or as JSON lines', async () => {
    const { user } = show(
      <ExportLinks path="/api/audit/decisions" filters={{ subject: 'a&b', outcome: '', since: undefined }} />,
    );
    await user.click(screen.getByRole('button', { name: 'Export' }));
    const link = (name: string) => screen.findByRole('menuitem', { name }).then((item) => item.getAttribute('href'));
    expect(await link('CSV')).toBe('/api/audit/decisions?subject=a%26b&format=csv');
    expect(await link('JSON Lines')).toBe('/api/audit/decisions?subject=a%26b&format=jsonl');
    expect((await screen.findByRole('menuitem', { name: 'CSV' })).hasAttribute('download')).toBe(true);
  });
});

describe('an unsent draft', () => {
  function Draft({ name }: { name: string }) {
    const [draft, setDraft] = useDraft<string>(name);
    return (
      <>
        <input aria-label={name} value={draft ?? ''} onChange={(event) => setDraft(event.target.value)} />
        <button type="button" onClick={() => setDraft(null)}>
          Send {name}
        </button>
        <button type="button" onClick={() => setDraft((now) => `${now ?? ''}!`)}>
          Add to {name}
        </button>
      </>
    );
  }
  /** Whether the browser asks before it leaves the page. */
  const asks = () => !dispatchEvent(new Event('beforeunload', { cancelable: true }));
  const field = (name: string) => screen.getByRole<HTMLInputElement>('textbox', { name });

  it('outlives a visit of another tab, and the browser asks before it is lost', async () => {
    const { user, again } = show(<Draft name="policy" />);
    expect(asks()).toBe(false);
    await user.type(field('policy'), 'forbid');
    expect(asks()).toBe(true);
    again(<p>Another tab</p>);
    expect(asks()).toBe(true);
    again(
      <>
        <Draft name="policy" />
        <Draft name="document" />
      </>,
    );
    expect([field('policy').value, field('document').value]).toEqual(['forbid', '']);
    await user.click(screen.getByRole('button', { name: 'Add to policy' }));
    await user.click(screen.getByRole('button', { name: 'Add to document' }));
    expect([field('policy').value, field('document').value]).toEqual(['forbid!', '!']);
    await user.click(screen.getByRole('button', { name: 'Send policy' }));
    expect([field('policy').value, asks()]).toEqual(['', true]);
    await user.click(screen.getByRole('button', { name: 'Send document' }));
    expect(asks()).toBe(false);
  });
});
