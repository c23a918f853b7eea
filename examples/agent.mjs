// An agent with one tool: asks the model, runs the tool that it calls, and asks again until it answers.
// Each run is a session of its own (`x-gateway-session`), which an administrator can revoke without touching the person's key.
import { randomUUID } from 'node:crypto';
import process from 'node:process';

const { GATEWAY_URL, GATEWAY_KEY, ENDPOINT = 'demo' } = process.env;
const question = process.argv[2];
if (!GATEWAY_URL || !GATEWAY_KEY || !question) {
  console.error('Set GATEWAY_URL and GATEWAY_KEY. Usage: node agent.mjs QUESTION');
  process.exit(2);
}

const MOST_ANSWERS = 5;
const TOOLS = {
  time: {
    description: 'The time in UTC.',
    parameters: { type: 'object', properties: {} },
    run: () => new Date().toISOString(),
  },
};

const session = `example-${randomUUID()}`;

async function ask(messages) {
  const response = await fetch(`${GATEWAY_URL}/${ENDPOINT}/v1/chat/completions`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${GATEWAY_KEY}`,
      'content-type': 'application/json',
      'x-gateway-session': session,
    },
    body: JSON.stringify({
      messages,
      tools: Object.entries(TOOLS).map(([name, { description, parameters }]) => ({
        type: 'function',
        function: { name, description, parameters },
      })),
    }),
  });
  const answer = await response.json();
  // A refusal of the gateway is a sentence, and final: the same call is refused until somebody changes what it names.
  if (!response.ok) throw new Error(`${response.status} ${answer.error?.message ?? answer.error}`);
  return answer.choices[0].message;
}

const messages = [{ role: 'user', content: question }];
try {
  for (let answers = 0; answers < MOST_ANSWERS; answers += 1) {
    const message = await ask(messages);
    messages.push(message);
    if (!message.tool_calls?.length) {
      console.log(message.content);
      process.exit(0);
    }
    for (const { id, function: called } of message.tool_calls) {
      const content = TOOLS[called.name]?.run() ?? `There is no tool ${called.name}.`;
      messages.push({ role: 'tool', tool_call_id: id, content });
    }
  }
  throw new Error(`The model did not answer after ${MOST_ANSWERS} calls.`);
} catch (error) {
  console.error(error.message);
  process.exit(1);
}
