import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { StartFault } from './fault.ts';

/** Follows redirects as a browser does, with the cookies of each host. */
class Visit {
  readonly #jar = new Map<string, Map<string, string>>();

  /** The cookies that a request to this address carries. */
  cookies(address: URL): string {
    return [...(this.#jar.get(address.host) ?? [])].map(([name, value]) => `${name}=${value}`).join('; ');
  }

  async go(start: URL, form?: URLSearchParams): Promise<{ readonly url: URL; readonly response: Response }> {
    let url = start;
    let body = form;
    for (let step = 0; step < 12; step += 1) {
      const cookie = this.cookies(url);
      const response = await fetch(url, {
        method: body ? 'POST' : 'GET',
        body: body ?? null,
        redirect: 'manual',
        headers: { accept: 'text/html', ...(cookie === '' ? {} : { cookie }) },
      });
      body = undefined;
      this.#keep(url, response);
      const location = response.headers.get('location');
      if (response.status < 300 || response.status > 399 || location === null) return { url, response };
      url = new URL(location, url);
    }
    throw new StartFault(`The sign-in at ${start.origin} redirects in a loop.`);
  }

  #keep(url: URL, response: Response): void {
    const host = this.#jar.get(url.host) ?? new Map<string, string>();
    this.#jar.set(url.host, host);
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (value === '') host.delete(name);
      else host.set(name, value);
    }
  }
}

/**
 * Signs in to the console through the demo identity provider, as a person does in a browser.
 * @param authority PEM certificate of its authority
 * @returns the `cookie` header of the console's session
 */
export async function signIn(
  console: string,
  person: { readonly user: string; readonly password: string },
  authority: string,
): Promise<string> {
  setDefaultCACertificates([...getCACertificates('default'), authority]);
  const visit = new Visit();
  const page = await visit.go(new URL('/auth/login', console));
  const back = await visit.go(page.url, new URLSearchParams(person));
  const cookie = visit.cookies(new URL(console));
  if (back.url.origin !== new URL(console).origin || cookie === '') {
    throw new StartFault(`The sign-in to the console ended at ${back.url.href} with ${back.response.status}.`);
  }
  return cookie;
}
