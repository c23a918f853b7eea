import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import { useList } from '../../api/list.ts';
import type { Model } from '../../api/objects.ts';
import { changes, EMPTY, given, listed, refused } from '../../testing/api.ts';
import { model, provider } from '../../testing/catalog.ts';
import { fill, show } from '../../testing/show.tsx';
import { cellsOf } from '../../testing/table.ts';
import { ModelsSection } from './models-section.tsx';

const PROVIDERS = [provider('lab'), provider('own')];

function Models({ providers = PROVIDERS }: { providers?: typeof PROVIDERS }) {
  return <ModelsSection models={useList<Model>('/api/models', 'models', {}, 'models')} providers={providers} />;
}

beforeEach(() => given('GET /api/models', listed('models', [model('small', { cachedInputPrice: 0.0000001 })])));

const dialogOf = async (name: string) => within(await screen.findByRole('dialog', { name }));
const declaring = async () => {
  const { user } = show(<Models />, '#endpoints?open=model');
  return { user, dialog: await dialogOf('Declare a model') };
};
const editing = async () => {
  const { user } = show(<Models />);
  await user.click(await screen.findByRole('button', { name: 'Edit model Small' }));
  return { user, dialog: await dialogOf('Edit model Small') };
};
const price = (dialog: Awaited<ReturnType<typeof dialogOf>>, name: string) =>
  dialog.getByRole<HTMLInputElement>('textbox', { name });

describe('the models', () => {
  it('show their provider and their prices per million tokens; without a price of its own, the input price', async () => {
    given(
      'GET /api/models',
      listed('models', [
        model('small', { cachedInputPrice: 0.0000001 }),
        model('free', { provider: 'id-of-own', inputPrice: 0, outputPrice: 0 }),
        model('tiny', { provider: 'gone', inputPrice: 1e-12, outputPrice: 123.456 }),
      ]),
    );
    show(<Models />);
    await screen.findByRole('table', { name: 'Models' });
    expect(cellsOf('Models').map((cells) => cells.slice(1, 6))).toEqual([
      ['Lab', '€1.00', '€0.10', 'as input', '€2.00'],
      ['Own', '€0.00', 'as input', 'as input', '€0.00'],
      ['gone', '€0.000001', 'as input', 'as input', '€123,456,000.00'],
    ]);
  });

  it('need a provider first', async () => {
    given('GET /api/models', listed('models', []));
    show(<Models providers={[]} />);
    expect(await screen.findByText('No model yet')).toBeDefined();
    expect(screen.queryByRole('button', { name: 'Declare the first model' })).toBeNull();
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Declare a model' }).disabled).toBe(true);
  });

  it('that are deleted can be restored with all their members', async () => {
    const { id, ...members } = model('small', { cachedInputPrice: 0.0000001 });
    given('GET /api/models', listed('models', [{ id, ...members, priceUnit: 'EUR per token' }]));
    given(`DELETE /api/models/${id}`, EMPTY);
    given('POST /api/models', { id: 'another', ...members });
    const { user } = show(<Models />);
    await user.click(await screen.findByRole('button', { name: 'Delete: Delete model Small' }));
    await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Delete' }));
    await user.click(await screen.findByRole('button', { name: 'Undo' }));
    expect(await screen.findByText('Model Small restored.')).toBeDefined();
    expect(changes()).toEqual([[`DELETE /api/models/${id}`], ['POST /api/models', members]]);
  });

  it('that an endpoint serves are not deleted, and say why', async () => {
    given('DELETE /api/models/id-of-small', refused(409, 'This model cannot be deleted: an endpoint refers to it.'));
    const { user } = show(<Models />);
    await user.click(await screen.findByRole('button', { name: 'Delete: Delete model Small' }));
    const dialog = await dialogOf('Delete model Small');
    await user.click(dialog.getByRole('button', { name: 'Delete' }));
    expect((await dialog.findByRole('alert')).textContent).toBe(
      'This model cannot be deleted: an endpoint refers to it.',
    );
  });
});

describe('a new model', () => {
  it('costs nothing until prices are typed, and belongs to the first provider', async () => {
    given('POST /api/models', {});
    const { user, dialog } = await declaring();
    await fill(user, dialog.getByRole('textbox', { name: 'Name' }), 'Large');
    await fill(user, dialog.getByRole('textbox', { name: 'Slug' }), 'org/large:v1');
    await user.keyboard('{Enter}');
    expect(await screen.findByText('Model Large declared.')).toBeDefined();
    expect(changes()).toEqual([
      [
        'POST /api/models',
        {
          name: 'Large',
          slug: 'org/large:v1',
          provider: 'id-of-lab',
          inputPrice: 0,
          outputPrice: 0,
          cachedInputPrice: null,
          cacheWritePrice: null,
        },
      ],
    ]);
  });

  it('has prices for a million tokens, sent for one, without an error of rounding', async () => {
    given('POST /api/models', {});
    const { user, dialog } = await declaring();
    await fill(user, dialog.getByRole('textbox', { name: 'Name' }), 'Large');
    await fill(user, dialog.getByRole('textbox', { name: 'Slug' }), 'large');
    await user.click(dialog.getByRole('combobox', { name: 'Provider' }));
    await user.click(await screen.findByRole('option', { name: 'Own' }));
    for (const [name, typed] of [
      ['Input price', '0.15'],
      ['Output price', '0.6'],
      ['Cached input price', '0'],
      ['Cache write price', '0.1875'],
    ] as const) {
      await fill(user, price(dialog, name), typed);
    }
    await user.click(dialog.getByRole('button', { name: 'Declare' }));
    await screen.findByText('Model Large declared.');
    expect(changes()[0]?.[1]).toMatchObject({
      provider: 'id-of-own',
      inputPrice: 0.00000015,
      outputPrice: 0.0000006,
      cachedInputPrice: 0,
      cacheWritePrice: 0.0000001875,
    });
  });

  it.each(['-15', 'a1b5', '1,234.5', '1.234,5', '1 234', "1'234"])('has no price of %s', async (typed) => {
    const { user, dialog } = await declaring();
    await fill(user, dialog.getByRole('textbox', { name: 'Name' }), 'Large');
    await fill(user, dialog.getByRole('textbox', { name: 'Slug' }), 'large');
    await fill(user, price(dialog, 'Input price'), typed);
    await user.click(dialog.getByRole('button', { name: 'Declare' }));
    expect(await dialog.findByText(/without a thousands separator/)).toBeDefined();
    expect([price(dialog, 'Input price').value, changes()]).toEqual([typed, []]);
  });

  it('may have a price with a decimal comma, typed or pasted', async () => {
    given('POST /api/models', {});
    const { user, dialog } = await declaring();
    await fill(user, dialog.getByRole('textbox', { name: 'Name' }), 'Large');
    await fill(user, dialog.getByRole('textbox', { name: 'Slug' }), 'large');
    await fill(user, price(dialog, 'Input price'), '2,5');
    await user.clear(price(dialog, 'Output price'));
    await user.click(price(dialog, 'Output price'));
    await user.paste('12,50 €');
    await user.click(dialog.getByRole('button', { name: 'Declare' }));
    await screen.findByText('Model Large declared.');
    expect(changes()[0]?.[1]).toMatchObject({ inputPrice: 0.0000025, outputPrice: 0.0000125 });
  });

  it('has a price above a cent for a token only where it is confirmed', async () => {
    given('POST /api/models', {});
    const { user, dialog } = await declaring();
    await fill(user, dialog.getByRole('textbox', { name: 'Name' }), 'Large');
    await fill(user, dialog.getByRole('textbox', { name: 'Slug' }), 'large');
    await fill(user, price(dialog, 'Input price'), '10000');
    expect(dialog.queryByRole('checkbox')).toBeNull();
    await fill(user, price(dialog, 'Input price'), '25000');
    await user.click(dialog.getByRole('button', { name: 'Declare' }));
    expect(changes()).toEqual([]);
    await user.click(dialog.getByRole('checkbox', { name: /25,000.00 per million tokens is correct/ }));
    await user.click(dialog.getByRole('button', { name: 'Declare' }));
    await screen.findByText('Model Large declared.');
    expect(changes()[0]?.[1]).toMatchObject({ inputPrice: 0.025 });
  });

  it('whose provider was deleted meanwhile is refused at the provider', async () => {
    given(
      'POST /api/models',
      refused(400, 'provider must be the id of one that exists', {
        fields: { provider: 'must be the id of one that exists' },
      }),
    );
    const { user, dialog } = await declaring();
    await fill(user, dialog.getByRole('textbox', { name: 'Name' }), 'Large');
    await fill(user, dialog.getByRole('textbox', { name: 'Slug' }), 'large');
    await user.keyboard('{Enter}');
    expect(await dialog.findByText('must be the id of one that exists')).toBeDefined();
    expect(dialog.getByRole('alert').textContent).toBe('One field needs correction.');
  });
});

describe('a model that is edited', () => {
  it('sends the one price that was changed, and says for when it counts', async () => {
    given('PATCH /api/models/id-of-small', {});
    const { user, dialog } = await editing();
    expect(dialog.getByText(/A new price counts for the whole current month/)).toBeDefined();
    expect(price(dialog, 'Cached input price').value).toBe('0.1');
    await fill(user, price(dialog, 'Input price'), '1.5');
    await user.keyboard('{Enter}');
    expect(await screen.findByText('Model Small saved. It takes effect with the next call.')).toBeDefined();
    expect(changes()).toEqual([['PATCH /api/models/id-of-small', { inputPrice: 0.0000015 }]]);
  });

  it('loses its own price for cached input where that is emptied', async () => {
    given('PATCH /api/models/id-of-small', {});
    const { user, dialog } = await editing();
    await user.clear(price(dialog, 'Cached input price'));
    await user.click(dialog.getByRole('button', { name: 'Save' }));
    await screen.findByText('Model Small saved. It takes effect with the next call.');
    expect(changes()).toEqual([['PATCH /api/models/id-of-small', { cachedInputPrice: null }]]);
  });

  it('keeps its provider, which cannot be chosen, and sends nothing unchanged', async () => {
    const { user, dialog } = await editing();
    expect(dialog.queryByRole('combobox', { name: 'Provider' })).toBeNull();
    await user.click(dialog.getByRole('button', { name: 'Save' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(changes()).toEqual([]);
  });

  it('cannot be saved without an input price', async () => {
    const { user, dialog } = await editing();
    await user.clear(price(dialog, 'Input price'));
    await user.click(dialog.getByRole('button', { name: 'Save' }));
    expect([price(dialog, 'Input price').validity.valueMissing, changes()]).toEqual([true, []]);
  });
});
