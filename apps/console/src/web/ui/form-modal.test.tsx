import { TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { act, screen, waitFor, within } from '@testing-library/react';
import { useState } from 'react';
import { describe, expect, it } from 'vitest';
import { changes, given, held, refused, unreachable } from '../testing/api.ts';
import { show } from '../testing/show.tsx';
import { TypedConfirm } from './confirm.tsx';
import { FormModal } from './form-modal.tsx';

const PATH = 'POST /api/things';

function Page({ onDone, asks = true }: { onDone?: (answer: { key: string }) => void; asks?: boolean }) {
  const [opened, setOpened] = useState(false);
  const form = useForm({ initialValues: { name: '', note: '' } });
  return (
    <>
      <button type="button" onClick={() => setOpened(true)}>
        Open
      </button>
      <FormModal
        opened={opened}
        close={() => setOpened(false)}
        title="Create a thing"
        submit="Create"
        form={form}
        change={(values) =>
          asks ? { method: 'POST', path: '/api/things', body: values, done: `Thing ${values.name} created.` } : null
        }
        {...(onDone === undefined ? {} : { onDone })}
      >
        <TextInput label="Name" {...form.getInputProps('name')} />
        <TextInput label="Note" {...form.getInputProps('note')} />
      </FormModal>
    </>
  );
}

const field = (name: string) => screen.getByRole<HTMLInputElement>('textbox', { name });
const button = (name: string) => screen.getByRole('button', { name });
const isClosed = () => waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());

async function opened(page = <Page />) {
  const { user } = show(page);
  await user.click(button('Open'));
  await screen.findByRole('dialog', { name: 'Create a thing' });
  return user;
}

describe('a form in a dialog', () => {
  it('sends what was typed when Enter is pressed, closes, and begins empty the next time', async () => {
    given(PATH, {});
    const user = await opened();
    await user.type(field('Name'), 'one');
    await user.type(field('Note'), 'two{Enter}');
    expect(await screen.findByText('Thing one created.')).toBeDefined();
    expect(changes()).toEqual([[PATH, { name: 'one', note: 'two' }]]);
    await isClosed();
    await user.click(button('Open'));
    await screen.findByRole('dialog');
    expect([field('Name').value, field('Note').value]).toEqual(['', '']);
  });

  it('closes without a request where nothing was changed', async () => {
    const user = await opened(<Page asks={false} />);
    await user.click(button('Create'));
    await isClosed();
    expect(changes()).toEqual([]);
  });

  it('is sent once, however often the button is pressed', async () => {
    const letGo = held(PATH, {});
    const user = await opened();
    await user.dblClick(button('Create'));
    letGo();
    await isClosed();
    expect(changes()).toHaveLength(1);
  });

  it('marks the field at fault, keeps what was typed, and is sent again once it is corrected', async () => {
    given(PATH, refused(400, 'name is taken.', { fields: { name: 'is taken' } }));
    const user = await opened();
    await user.type(field('Name'), 'one{Enter}');
    expect((await screen.findByRole('alert')).textContent).toBe('One field needs correction.');
    expect(field('Name').getAttribute('aria-invalid')).toBe('true');
    expect(screen.getByText('is taken')).toBeDefined();
    expect(field('Note').getAttribute('aria-invalid')).toBeNull();
    given(PATH, {});
    await user.type(field('Name'), 's{Enter}');
    expect(await screen.findByText('Thing ones created.')).toBeDefined();
  });

  it('says how many fields are marked, and puts the keyboard into the first of them', async () => {
    given(PATH, refused(400, 'Both are bad.', { fields: { note: 'is too long', name: 'is taken' } }));
    const user = await opened();
    await user.click(button('Create'));
    expect((await screen.findByRole('alert')).textContent).toBe('2 fields need correction.');
    expect(document.activeElement).toBe(field('Name'));
  });

  it.each([
    [
      'of a field that it does not have',
      refused(400, 'plan must exist.', { fields: { plan: 'must exist' } }),
      'plan must exist.',
    ],
    ['of a conflict', refused(409, 'There is a thing of this name.'), 'There is a thing of this name.'],
    ['of a missing right', refused(403, 'Your roles do not permit this.'), 'Your roles do not permit this.'],
    ['of a session that ended', refused(401, 'Your session is over.'), 'Sign in, in a new tab'],
    ['of a console that is down', unreachable, 'The console cannot be reached.'],
  ])('shows the whole sentence %s, and keeps what was typed', async (_, answer, says) => {
    given(PATH, answer);
    const user = await opened();
    await user.type(field('Name'), 'one{Enter}');
    expect((await screen.findByRole('alert')).textContent).toContain(says);
    expect(field('Name').value).toBe('one');
  });

  it.each([
    ['Cancel', (user: Awaited<ReturnType<typeof opened>>) => user.click(button('Cancel'))],
    ['Escape', (user: Awaited<ReturnType<typeof opened>>) => user.keyboard('{Escape}')],
    ['the cross', (user: Awaited<ReturnType<typeof opened>>) => user.click(button('Close'))],
  ])('is left by %s, and forgets what was typed and refused', async (_, leave) => {
    given(PATH, refused(409, 'There is a thing of this name.'));
    const user = await opened();
    await user.type(field('Name'), 'one{Enter}');
    await screen.findByRole('alert');
    await leave(user);
    await isClosed();
    await user.click(button('Open'));
    await screen.findByRole('dialog');
    expect([field('Name').value, screen.queryByRole('alert')]).toEqual(['', null]);
  });

  it('is not closed by a click beside it once something was typed', async () => {
    const user = await opened();
    const beside = () => document.querySelector('.mantine-Modal-overlay') ?? document.body;
    await user.type(field('Name'), 'o');
    await user.click(beside());
    expect(field('Name').value).toBe('o');
    await user.clear(field('Name'));
    await user.click(beside());
    await isClosed();
  });

  it('stays until an answer that is needed has come, whatever is pressed', async () => {
    const keys: string[] = [];
    const letGo = held(PATH, { key: 'gwk_secret' });
    const user = await opened(<Page onDone={({ key }) => keys.push(key)} />);
    await user.click(button('Create'));
    await user.keyboard('{Escape}');
    expect(button('Cancel').hasAttribute('disabled')).toBe(true);
    expect(screen.getByRole('dialog')).toBeDefined();
    letGo();
    await isClosed();
    expect(keys).toEqual(['gwk_secret']);
  });

  it('may be left before an answer that nobody needs: the change is reported all the same', async () => {
    const letGo = held(PATH, {});
    const user = await opened();
    await user.type(field('Name'), 'one{Enter}');
    await user.keyboard('{Escape}');
    await isClosed();
    letGo();
    expect(await screen.findByText('Thing one created.')).toBeDefined();
  });
});

describe('a word that must be typed', () => {
  function Asked() {
    const [isOpen, setOpen] = useState(true);
    return (
      <TypedConfirm
        opened={isOpen}
        close={() => setOpen(false)}
        title="Lock people out?"
        submit="Install"
        word="lockout"
        change={() => ({ method: 'POST', path: '/api/things', body: {} })}
      >
        Nobody can call then.
      </TypedConfirm>
    );
  }

  it('is asked for until it is right, and only then something is sent', async () => {
    given(PATH, {});
    const { user } = show(<Asked />);
    const dialog = await screen.findByRole('dialog', { name: 'Lock people out?' });
    const word = within(dialog).getByRole('textbox', { name: /^Type lockout to confirm/ });
    await user.type(word, 'Lockout{Enter}');
    expect(within(dialog).getByText('Type lockout to continue.')).toBeDefined();
    expect(changes()).toEqual([]);
    await user.clear(word);
    await user.type(word, ' lockout {Enter}');
    await isClosed();
    expect(changes()).toEqual([[PATH, {}]]);
  });
});

describe('a form with several faults', () => {
  function Form() {
    const form = useForm({
      initialValues: { name: '', slug: '', count: 'x' },
      validate: { count: (text) => (/^\d+$/.test(text) ? null : 'Type a number.') },
    });
    return (
      <FormModal
        opened
        close={() => undefined}
        title="Make one"
        submit="Make"
        form={form}
        change={(body) => ({ method: 'POST', path: '/api/plans', body })}
      >
        <TextInput label="Count" {...form.getInputProps('count')} />
        <TextInput label="Name" required {...form.getInputProps('name')} />
        <TextInput label="Slug" required {...form.getInputProps('slug')} />
      </FormModal>
    );
  }

  it('says all of them at once, beside their fields, and forgets each when it is corrected', async () => {
    const { user } = show(<Form />);
    await user.click(await screen.findByRole('button', { name: 'Make' }));
    expect(screen.getAllByText('Fill in this field.')).toHaveLength(2);
    expect(screen.getByText('Type a number.')).toBeDefined();
    expect(document.activeElement).toBe(screen.getByLabelText('Count'));
    await user.type(screen.getByLabelText(/^Name/), 'a');
    expect(screen.getAllByText('Fill in this field.')).toHaveLength(1);
    expect(changes()).toEqual([]);
  });
  it('says with them what the API finds, which changes nothing', async () => {
    given('CHECK /api/plans', refused(400, 'No.', { fields: { slug: 'has a space', count: 'must be a number' } }));
    const { user } = show(<Form />);
    await user.type(await screen.findByLabelText(/^Slug/), 'a b');
    await user.click(screen.getByRole('button', { name: 'Make' }));
    expect(await screen.findByText('has a space')).toBeDefined();
    expect(screen.getByText('Fill in this field.')).toBeDefined();
    expect(screen.getByText('Type a number.')).toBeDefined();
    expect(document.activeElement).toBe(screen.getByLabelText('Count'));
  });
  it('says nothing beside a field that was corrected before the API answered', async () => {
    const answered = held('CHECK /api/plans', refused(400, 'No.', { fields: { slug: 'has a space' } }));
    const { user } = show(<Form />);
    await user.type(await screen.findByLabelText(/^Slug/), 'a b');
    await user.click(screen.getByRole('button', { name: 'Make' }));
    await user.clear(screen.getByLabelText(/^Slug/));
    await user.type(screen.getByLabelText(/^Slug/), 'ab');
    await act(async () => answered());
    expect(screen.queryByText('has a space')).toBeNull();
  });
});
