import { screen, waitFor } from '@testing-library/react';
import { useState } from 'react';
import { describe, expect, it, vi } from 'vitest';
import { show } from '../testing/show.tsx';
import { KeyReveal } from './copy.tsx';
import { Layer, useDialog } from './layer.tsx';
import { Edit } from './section.tsx';
import { useEditing } from './use-editing.ts';

const dialogs = () => screen.queryAllByRole('dialog').map((dialog) => dialog.querySelector('h2')?.textContent);
const button = (name: string) => screen.getByRole('button', { name });
const isFocused = (name: string) => waitFor(() => expect(document.activeElement).toBe(button(name)));

function Two({ isBusy = () => false }: { isBusy?: () => boolean }) {
  const below = useDialog();
  const above = useDialog();
  return (
    <>
      <button type="button" onClick={below.open}>
        Open
      </button>
      {below.made && (
        <Layer opened={below.opened} close={below.close} title="Below" isBusy={isBusy}>
          <button type="button" onClick={above.open}>
            Open another
          </button>
          {above.made && (
            <Layer opened={above.opened} close={above.close} title="Above">
              <p>Sure?</p>
            </Layer>
          )}
        </Layer>
      )}
    </>
  );
}

describe('dialogs', () => {
  it('above each other are closed by Escape one at a time, the topmost first, and give the keyboard back', async () => {
    const { user } = show(<Two />);
    await user.click(button('Open'));
    await user.click(await screen.findByRole('button', { name: 'Open another' }));
    await waitFor(() => expect(dialogs()).toEqual(['Below', 'Above']));
    await user.keyboard('{Escape}');
    await waitFor(() => expect(dialogs()).toEqual(['Below']));
    await isFocused('Open another');
    await user.keyboard('{Escape}');
    await waitFor(() => expect(dialogs()).toEqual([]));
    await isFocused('Open');
  });

  it('give the keyboard back where they are removed instead of closed', async () => {
    function Removed() {
      const [opened, setOpened] = useState(false);
      return (
        <>
          <button type="button" onClick={() => setOpened(true)}>
            Open
          </button>
          {opened && <Layer opened close={() => setOpened(false)} title="Gone at once" />}
        </>
      );
    }
    const { user } = show(<Removed />);
    await user.click(button('Open'));
    await screen.findByRole('dialog');
    await user.keyboard('{Escape}');
    await isFocused('Open');
    expect(dialogs()).toEqual([]);
  });

  it('stay while something is under way, and close after it', async () => {
    const isBusy = vi.fn(() => true);
    const { user } = show(<Two isBusy={isBusy} />);
    await user.click(button('Open'));
    await screen.findByRole('dialog');
    await user.keyboard('{Escape}');
    expect(dialogs()).toEqual(['Below']);
    isBusy.mockReturnValue(false);
    await user.keyboard('{Escape}');
    await waitFor(() => expect(dialogs()).toEqual([]));
  });

  it('give the keyboard back where a dialog follows another one that closed', async () => {
    function Following() {
      const [step, setStep] = useState(0);
      return (
        <>
          <button type="button" onClick={() => setStep(1)}>
            Begin
          </button>
          <Layer opened={step === 1} close={() => setStep(0)} title="First">
            <button type="button" onClick={() => setStep(2)}>
              Next
            </button>
          </Layer>
          <Layer opened={step === 2} close={() => setStep(0)} title="Second">
            <button type="button" onClick={() => setStep(0)}>
              End
            </button>
          </Layer>
        </>
      );
    }
    const { user } = show(<Following />);
    await user.click(button('Begin'));
    await user.click(await screen.findByRole('button', { name: 'Next' }));
    await user.click(await screen.findByRole('button', { name: 'End' }));
    await waitFor(() => expect(dialogs()).toEqual([]));
    await isFocused('Begin');
  });
});

describe('a key that is shown once', () => {
  function Revealed() {
    const [secret, setSecret] = useState<string | null>('gwk_abcdef');
    return <KeyReveal of="ada" secret={secret} close={() => setSecret(null)} />;
  }

  it('is closed by nothing but its button, so that no stray press loses it', async () => {
    const { user } = show(<Revealed />);
    await screen.findByRole('dialog', { name: 'Key of ada' });
    await user.keyboard('{Escape}');
    await user.click(document.querySelector('.mantine-Modal-overlay') ?? document.body);
    expect(screen.queryByRole('button', { name: 'Close' })).toBeNull();
    expect(screen.getByText('gwk_abcdef')).toBeDefined();
    await user.click(button('Done'));
    await waitFor(() => expect(dialogs()).toEqual([]));
    expect(document.body.textContent).not.toContain('gwk_');
  });

  it('is copied whole', async () => {
    const { user } = show(<Revealed />);
    await user.click(await screen.findByRole('button', { name: 'Copy' }));
    expect(await screen.findByRole('button', { name: 'Copied' })).toBeDefined();
    expect(await navigator.clipboard.readText()).toBe('gwk_abcdef');
  });
});

describe('the form that edits an object of a list', () => {
  function Editing() {
    const [rows, setRows] = useState(['one', 'two']);
    const { edited, edit } = useEditing<string>();
    const [typed, setTyped] = useState('');
    return (
      <>
        <div role="group" aria-label="Things" tabIndex={0}>
          {rows.map((row) => (
            <Edit key={row} of={`thing ${row}`} open={() => edit(row)} />
          ))}
        </div>
        {edited !== null && (
          <Layer key={edited.opening} {...edited.dialog} title={`Edit ${edited.thing}`}>
            <input aria-label="Name" defaultValue={edited.thing} onChange={(event) => setTyped(event.target.value)} />
            <button type="button" onClick={() => setRows(['two'])}>
              Delete meanwhile
            </button>
          </Layer>
        )}
        <p>{typed}</p>
      </>
    );
  }
  const field = () => screen.getByRole<HTMLInputElement>('textbox', { name: 'Name' });

  it('begins again with each object, and gives the keyboard back to its button', async () => {
    const { user } = show(<Editing />);
    for (const thing of ['one', 'two', 'one']) {
      await user.click(button(`Edit thing ${thing}`));
      await screen.findByRole('dialog', { name: `Edit ${thing}` });
      expect(field().value).toBe(thing);
      await user.type(field(), ' more');
      await user.keyboard('{Escape}');
      await waitFor(() => expect(dialogs()).toEqual([]));
      await isFocused(`Edit thing ${thing}`);
    }
  });

  it('keeps what was typed when its row is deleted meanwhile, and then leaves the keyboard in the table', async () => {
    const { user } = show(<Editing />);
    await user.click(button('Edit thing one'));
    await screen.findByRole('dialog', { name: 'Edit one' });
    await user.type(field(), ' more');
    await user.click(button('Delete meanwhile'));
    expect(field().value).toBe('one more');
    await user.keyboard('{Escape}');
    await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('group', { name: 'Things' })));
  });
});
