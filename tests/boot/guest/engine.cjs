const { createServer } = require('node:http');

const ANSWER = {
  choices: [{ message: { role: 'assistant', content: 'Hello.' } }],
  usage: { prompt_tokens: 3, completion_tokens: 2 },
};

createServer((request, response) => {
  request.resume().once('end', () => {
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(ANSWER));
  });
}).listen(8080, '127.0.0.1');
