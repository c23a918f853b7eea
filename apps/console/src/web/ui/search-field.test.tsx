import { act, fireEvent, screen } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { show } from '../testing/show.tsx';
import { useSearch } from './search-field.tsx';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function Page({ findsKeys = false }: { findsKeys?: boolean }) {
  const { search, field } = useSearch('Search things', findsKeys);
  return (
    <>
      {field}
      <p>{`Searched: ${search}`}</p>
    </>
  );
}

const field = () => screen.getByRole<HTMLInputElement>('textbox', { name: 'Search things' });
const type = (value: string) => fireEvent.change(field(), { target: { value } });
/** The person pauses for a while. */
const pause = (milliseconds: number) => act(() => vi.advanceTimersByTimeAsync(milliseconds));
const searched = () => screen.getByText(/^Searched:/).textContent;

describe('a search field', () => {
  it('searches once the typing pauses, for the text without spaces around it', async () => {
    show(<Page />, '#things?page=3&at=x');
    for (const typed of ['a', 'ad', 'ada ']) {
      type(typed);
      await pause(200);
    }
    expect(location.hash).toBe('#things?page=3&at=x');
    await pause(100);
    expect([searched(), location.hash]).toEqual(['Searched: ada', '#things?search=ada']);
    expect(field().value).toBe('ada ');
  });

  it('is one step of the history for one text, however often its typing pauses', async () => {
    show(<Page />);
    const before = history.length;
    for (const typed of ['a', 'ad', 'ada']) {
      type(typed);
      await pause(300);
    }
    expect([history.length - before, location.hash]).toEqual([1, '#?search=ada']);
    fireEvent.blur(field());
    type('grace');
    await pause(300);
    expect([history.length - before, location.hash]).toEqual([2, '#?search=grace']);
  });

  it('shows what the address says when that changes, instead of what was typed', async () => {
    show(<Page />, '#?search=ada');
    expect(field().value).toBe('ada');
    type('half a te');
    history.replaceState(null, '', '#?search=grace');
    act(() => void dispatchEvent(new Event('popstate')));
    expect(field().value).toBe('grace');
    await pause(1000);
    expect(location.hash).toBe('#?search=grace');
  });

  it('searches for everything again once it is emptied', async () => {
    show(<Page />, '#?search=ada');
    type('');
    await pause(300);
    expect([searched(), location.hash]).toEqual(['Searched: ', '']);
  });

  it.each([
    [false, 'Looks like a key: not searched for.'],
    [true, 'Looks like a key: not searched for. Its last four characters are enough.'],
  ])('does not put a key into the address (finds ends of keys: %s)', async (findsKeys, says) => {
    show(<Page findsKeys={findsKeys} />);
    type('gwk_0123456789abcdef');
    await pause(1000);
    expect(location.hash).toBe('');
    expect(screen.getByText(says)).toBeDefined();
    expect(field().getAttribute('aria-invalid')).toBe('true');
    type('cdef');
    await pause(300);
    expect(location.hash).toBe('#?search=cdef');
    expect(screen.queryByText(says)).toBeNull();
  });

  it.each(['#?search=gwk_0123456789abcdef', `#?search=${'x'.repeat(201)}`])(
    'ignores an address that nobody could have made with it: %s',
    (address) => {
      show(<Page />, address);
      expect([field().value, searched()]).toEqual(['', 'Searched: ']);
    },
  );

  it('takes no longer text than the console searches for', () => {
    show(<Page />);
    expect(field().maxLength).toBe(200);
  });

  it('searches for signs of an address as they are', async () => {
    show(<Page />);
    type('a&b=c #d?é%20');
    await pause(300);
    expect(searched()).toBe('Searched: a&b=c #d?é%20');
  });
});
