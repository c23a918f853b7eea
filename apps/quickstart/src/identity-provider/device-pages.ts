import type { KoaContextWithOIDC } from 'oidc-provider';
import { escapeHtml, PAGE_HEADERS, page } from './page.ts';

function show(context: KoaContextWithOIDC, content: string): void {
  context.set(PAGE_HEADERS);
  context.body = page(content);
}

/** The pages of the device flow (RFC 8628); the library's own load fonts from other hosts. */
export const devicePages = {
  async userCodeInputSource(context: KoaContextWithOIDC, form: string, _: unknown, error?: unknown): Promise<void> {
    const refused = error === undefined ? '' : '<p role="alert">This code is not known, or it has expired.</p>';
    const button = '<p><button type="submit" form="op.deviceInputForm">Continue</button></p>';
    show(context, `<p>Enter the code that the other device shows.</p>\n${refused}\n${form}\n${button}`);
  },
  async userCodeConfirmSource(
    context: KoaContextWithOIDC,
    form: string,
    _client: unknown,
    _device: unknown,
    code: string,
  ): Promise<void> {
    const question = `<p>Does the other device show the code <strong>${escapeHtml(code)}</strong>?</p>`;
    const buttons =
      '<p><button type="submit" form="op.deviceConfirmForm">Yes, sign it in</button> <button type="submit" form="op.deviceConfirmForm" name="abort" value="yes">No</button></p>';
    show(context, `${question}\n${form}\n${buttons}`);
  },
  async successSource(context: KoaContextWithOIDC): Promise<void> {
    show(context, '<p>The other device is signed in. You can close this page.</p>');
  },
};
