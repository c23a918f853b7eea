/** The parts of a request that engines check. */
export interface WireCall {
  readonly id: string;
  readonly type: string;
  readonly function: { readonly name: string; readonly arguments: string };
  readonly extra_content?: { readonly google?: { readonly thought_signature?: string } };
}
export interface WireMessage {
  readonly role: string;
  readonly content: unknown;
  readonly tool_call_id?: string;
  readonly tool_calls?: readonly WireCall[];
  readonly reasoning_content?: string;
  readonly reasoning_details?: unknown;
}
export interface Refusal {
  readonly status: number;
  readonly message: string;
}

/** One vendor's rules, as its engine states them when it refuses a request. */
export interface Vendor {
  readonly name: string;
  /** Members of every assistant message and of its first call. */
  readonly members?: object;
  readonly callMembers?: object;
  refuses(messages: readonly WireMessage[], body: Readonly<Record<string, unknown>>): Refusal | null;
}

const NOTHING = (): null => null;
const bad = (message: string, status = 400): Refusal => ({ status, message });

/** What every engine refuses. */
export function faultOf(messages: readonly WireMessage[]): Refusal | null {
  const known = new Set<string>();
  let open = new Set<string>();
  for (const { role, tool_call_id: answered = '', tool_calls: calls = [], content } of messages) {
    if (role === 'tool') {
      if (!open.delete(answered)) return bad(`No call ${answered} precedes this result.`);
      continue;
    }
    if (open.size > 0) return bad('A call has no result.');
    if (role === 'assistant' && calls.length === 0 && content === '') return bad('The message is empty.');
    open = new Set();
    for (const { id, type, function: called } of calls) {
      if (type !== 'function' || !/^[\w-]{1,64}$/.test(id) || known.has(id)) return bad(`The id ${id} is not valid.`);
      if (!/^[\w-]{1,64}$/.test(called.name)) return bad(`The name ${called.name} is not valid.`);
      if (!called.arguments.startsWith('{')) return bad('The arguments are no object.');
      JSON.parse(called.arguments);
      known.add(id);
      open.add(id);
    }
  }
  return open.size > 0 ? bad('A call has no result.') : null;
}

const assistants = (messages: readonly WireMessage[]) => messages.filter(({ role }) => role === 'assistant');
const callers = (messages: readonly WireMessage[]) =>
  assistants(messages).filter((one) => one.tool_calls !== undefined);

export const VENDORS: readonly Vendor[] = [
  {
    name: 'DeepSeek',
    members: { reasoning_content: 'I think.' },
    refuses: (messages) =>
      callers(messages).some(({ reasoning_content: thought }) => thought === undefined)
        ? bad('Missing `reasoning_content` field in the assistant message at message index 1.')
        : null,
  },
  {
    name: 'Gemini',
    callMembers: { extra_content: { google: { thought_signature: 'c2ln' } } },
    refuses: (messages) =>
      callers(messages).some(({ tool_calls: [call] = [] }) => !call?.extra_content?.google?.thought_signature)
        ? bad('Function call is missing a thought_signature in functionCall parts.')
        : null,
  },
  {
    name: 'OpenRouter',
    members: { reasoning_details: [{ type: 'reasoning.text', index: 0, text: 'I think.', signature: 's' }] },
    refuses: (messages) =>
      assistants(messages).some(({ reasoning_details: details }) => details !== undefined && !Array.isArray(details))
        ? bad('reasoning_details must be an array.')
        : null,
  },
  {
    name: 'Mistral',
    refuses(messages) {
      const [caller] = callers(messages);
      const id = caller?.tool_calls?.find((call) => !/^[a-zA-Z0-9]{9}$/.test(call.id))?.id;
      if (id !== undefined) return bad(`Tool call id was ${id} but must be a-z, A-Z, 0-9, with a length of 9.`);
      const members = new Set(['role', 'content', 'tool_calls']);
      if (assistants(messages).some((one) => Object.keys(one).some((name) => !members.has(name))))
        return bad('{"loc":["messages","assistant"],"msg":"Extra inputs are not permitted"}', 422);
      return messages.some(({ role }, at) => role === 'user' && messages[at - 1]?.role === 'tool')
        ? bad("Unexpected role 'user' after role 'tool'")
        : null;
    },
  },
  {
    name: 'llama.cpp',
    refuses: (messages) =>
      messages.some(({ role }, at) => role === 'user' && messages[at - 1]?.role === 'user')
        ? bad('Conversation roles must alternate user/assistant/user/assistant/...', 500)
        : null,
  },
  {
    name: 'OpenAI',
    refuses: (_, body) =>
      'max_tokens' in body
        ? bad(
            "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
          )
        : null,
  },
  {
    name: 'Groq',
    members: { reasoning: 'I think.' },
    refuses: (messages) =>
      assistants(messages).some((one) => 'reasoning' in one) ? bad("property 'reasoning' is unsupported") : null,
  },
  { name: 'xAI', members: { reasoning_content: 'I think.' }, refuses: NOTHING },
  { name: 'Anthropic', refuses: NOTHING },
  { name: 'vLLM', members: { reasoning: 'I think.' }, refuses: NOTHING },
];
