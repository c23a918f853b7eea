// A gateway's launcher in a process of its own, so that a test can end that process: launch-alone.ts WORKDIR USER SCRIPT
import { bubblewrapLauncher } from '../sandbox/bubblewrap.ts';
import { begin, SMALL, shell } from './run.ts';

const [, , workdir = '', user = '', script = ''] = process.argv;
const launcher = await bubblewrapLauncher({
  workdir,
  limits: SMALL,
  commands: 4,
  user: Number(user),
  users: 1,
  readable: [],
  path: '',
});
const { caller } = await begin(launcher, workdir, shell(script));
caller.pipe(process.stdout);
