import { type Context, WrongUsage } from '../context/context.ts';
import { type Entry, namesOf } from '../context/entry.ts';

/** What may follow each beginning of a command: names, and for a whole command its options. */
type Table = ReadonlyMap<string, readonly string[]>;

function tableOf(commands: readonly Entry[]): Table {
  const table = new Map<string, Set<string>>([['', new Set(['--help', '--version'])]]);
  const at = (path: string): Set<string> => {
    const words = table.get(path) ?? new Set<string>();
    table.set(path, words);
    return words;
  };
  for (const { usage, options = [], required = [] } of commands) {
    const names = namesOf(usage);
    for (const [index, name] of names.entries()) at(names.slice(0, index).join(' ')).add(name);
    for (const [flags] of [...options, ...required]) at(names.join(' ')).add(flags.split(' ')[0] ?? '');
    at(names.join(' ')).add('--json').add('--help');
  }
  return new Map([...table].map(([path, words]) => [path, [...words]]));
}

const quoted = (text: string): string => `'${text}'`;

function bash(table: Table): string {
  const paths = [...table.keys()].filter((path) => path !== '');
  return `_gatewayctl() {
  local word next path='' words=''
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    [[ $word == -* ]] && continue
    next="\${path:+$path }$word"
    case "$next" in
      ${paths.map(quoted).join(' | ')}) path=$next ;;
      *) break ;;
    esac
  done
  case "$path" in
${[...table].map(([path, words]) => `    ${quoted(path)}) words=${quoted(words.join(' '))} ;;`).join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _gatewayctl gatewayctl`;
}

function fish(table: Table): string {
  const lines = [...table].flatMap(([path, words]) => {
    const names = words.filter((word) => !word.startsWith('-'));
    const options = words.filter((word) => word.startsWith('--'));
    return [
      ...(names.length === 0
        ? []
        : [`complete -c gatewayctl -f -n "__gatewayctl_at ${quoted(path)}" -a ${quoted(names.join(' '))}`]),
      ...options.map((word) => `complete -c gatewayctl -n "__gatewayctl_in ${quoted(path)}" -l ${word.slice(2)}`),
    ];
  });
  return `function __gatewayctl_words
  string match -v -- '-*' (commandline -opc)[2..-1]
end
function __gatewayctl_at
  test "$(string join ' ' -- (__gatewayctl_words))" = "$argv[1]"
end
function __gatewayctl_in
  string match -q -- "$argv[1] *" "$(string join ' ' -- (__gatewayctl_words)) "
end
${lines.join('\n')}`;
}

const SHELLS: Readonly<Record<string, (table: Table) => string>> = {
  bash,
  zsh: (table) => `autoload -Uz compinit bashcompinit && compinit && bashcompinit\n${bash(table)}`,
  fish,
};

/** `completion bash|zsh|fish`: the script that completes commands and options in this shell. */
export async function runCompletion({ terminal }: Context, shell: string, commands: readonly Entry[]): Promise<void> {
  const script = Object.hasOwn(SHELLS, shell) ? SHELLS[shell] : undefined;
  if (script === undefined) throw new WrongUsage(`The shell must be one of ${Object.keys(SHELLS).join(', ')}.`);
  await terminal.write(`${script(tableOf(commands))}\n`);
}
