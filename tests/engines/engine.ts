import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { faultOf, type Vendor, type WireMessage } from './vendors.ts';

export interface Turn {
  readonly text?: string;
  readonly calls?: readonly { readonly id: string; readonly name: string; readonly arguments: string }[];
}
interface Body {
  readonly messages: readonly WireMessage[];
}

/** An engine that plays turns and refuses what its vendor refuses. `faults` has what no engine takes. */
export async function startVendor(vendor: Vendor, turns: readonly Turn[]) {
  const left = [...turns];
  const faults: string[] = [];
  const taken: Body[] = [];
  const server = createServer((request, response) => {
    let text = '';
    request.setEncoding('utf8').on('data', (piece: string) => {
      text += piece;
    });
    request.on('end', () => {
      const body = JSON.parse(text) as Body & Readonly<Record<string, unknown>>;
      const fault = faultOf(body.messages);
      if (fault !== null) faults.push(fault.message);
      const refusal = fault ?? vendor.refuses(body.messages, body);
      if (refusal !== null) {
        response.writeHead(refusal.status, { 'content-type': 'application/json' });
        response.end(JSON.stringify({ error: { message: refusal.message } }));
        return;
      }
      taken.push(body);
      const { text: content = '', calls = [] } = left.shift() ?? { text: 'Done.' };
      const tool_calls = calls.map(({ id, ...called }, index) => ({
        index,
        id,
        type: 'function',
        function: called,
        ...(index === 0 ? vendor.callMembers : {}),
      }));
      const delta = { role: 'assistant', content, ...vendor.members, ...(calls.length === 0 ? {} : { tool_calls }) };
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      const finish_reason = calls.length === 0 ? 'stop' : 'tool_calls';
      for (const choice of [{ delta }, { delta: {}, finish_reason }])
        response.write(`data: ${JSON.stringify({ choices: [choice] })}\n\n`);
      response.end('data: [DONE]\n\n');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    faults,
    taken,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
