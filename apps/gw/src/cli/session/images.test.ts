import { describe, expect, it } from 'vitest';
import { interactiveSuite } from '../../testing/interactive-suite.ts';

const { open, world } = interactiveSuite();

describe('images', () => {
  const PNG = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');
  const configure = (images: string): void =>
    void world().write(
      'home/casey/.gateway/config.yaml',
      `models:\n  - name: Seeing\n    endpoint: ${world().engine.url}/demo/v1\n${images}`,
    );

  it('are sent to a model that may take them', async () => {
    configure('    images: true\n');
    const file = world().write('shot.png', PNG);
    const at = await open(['I see it.']);
    await at.press(`\x1b[200~${file}\x1b[201~`);
    await at.shows(/Image #1/);
    await at.send('what is it?');
    await at.shows(/I see it\./);
    expect(world().engine.requests[0]?.text).toContain('"image_url":{"url":"data:image/png;base64,');
  });

  it('are refused, with the reason, for a model that accepts none', async () => {
    configure('    images: false\n');
    const file = world().write('shot.png', PNG);
    const at = await open(['Answer.']);
    await at.press(`\x1b[200~${file}\x1b[201~`);
    await at.shows(/Seeing takes no images \(images: false in its configuration\)/);
    await at.send('what is it?');
    await at.shows(/Answer\./);
    expect(world().engine.requests[0]?.text).not.toContain('image_url');
  });

  it('that an engine refuses are named as the likely cause', async () => {
    configure('');
    const file = world().write('shot.png', PNG);
    const at = await open([{ status: 400, body: '{"error":{"message":"unsupported content"}}' }]);
    await at.press(`\x1b[200~${file}\x1b[201~`);
    await at.shows(/Image #1/);
    await at.send('what is it?');
    await at.shows(/unsupported content.*If Seeing takes\s+none, set images: false/s);
    expect(world().engine.requests).toHaveLength(1);
  });

  it('of an earlier message are left out for a model that takes none', async () => {
    world().write(
      'home/casey/.gateway/config.yaml',
      `models:\n  - name: Seeing\n    endpoint: ${world().engine.url}/demo/v1\n  - name: Blind\n    images: false\n    endpoint: ${world().engine.url}/demo/v1\n`,
    );
    const file = world().write('shot.png', PNG);
    const at = await open(['Seen.', 'Not seen.']);
    await at.press(`\x1b[200~${file}\x1b[201~`);
    await at.shows(/Image #1/);
    await at.send('look');
    await at.shows(/Seen\./);
    await at.send('/model Blind');
    await at.shows(/The model is now Blind\./);
    await at.send('and now?');
    await at.shows(/Not seen\./);
    expect(world().engine.requests.at(-1)?.text).not.toContain('image_url');
    expect(world().engine.requests.at(-1)?.text).toContain('An image was here.');
  });
});
