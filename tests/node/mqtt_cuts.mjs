// mqtt.js, unmodified: messages of QoS 1 and 2 over connections that break off all the time.
//
// mqtt_cuts.mjs PORT COUNT VERSION   VERSION is 4 or 5

import mqtt from "mqtt";

const [port, count, protocolVersion] = process.argv.slice(2).map(Number);
// A hang is told from a busy machine.
const PATIENCE_MS = (90 + count) * 1000;

const client = (clientId) =>
  mqtt.connect({
    host: "127.0.0.1",
    port,
    protocolVersion,
    clientId,
    clean: false,
    reconnectPeriod: 20,
    connectTimeout: 5_000,
    properties: protocolVersion === 5 ? { sessionExpiryInterval: 600 } : undefined,
  });

const received = { 1: [], 2: [] };
const [subscriber, publisher] = [client("subscriber"), client("publisher")];
for (const one of [subscriber, publisher]) {
  one.on("error", () => {});
}
subscriber.on("message", (_topic, payload) => {
  const number = Number(payload.toString());
  received[1 + (number % 2)].push(number);
});
await new Promise((granted) => {
  subscriber.on("connect", () => subscriber.subscribe("cuts/#", { qos: 2 }, (error) => error || granted()));
});
let confirmed = 0;
for (let number = 0; number < count; number++) {
  publisher.publish(`cuts/${number % 2}`, String(number), { qos: 1 + (number % 2) }, (error) => {
    confirmed += error ? 0 : 1;
  });
}
const expected = (qos) => [...Array(count).keys()].filter((number) => 1 + (number % 2) === qos);
const whole = () => [1, 2].every((qos) => new Set(received[qos]).size === expected(qos).length);
const until = Date.now() + PATIENCE_MS;
const pause = (ms) => new Promise((over) => setTimeout(over, ms));
while (!(whole() && confirmed === count) && Date.now() < until) {
  await pause(50);
}
// A message that comes twice would come now.
await pause(500);
const problems = [];
for (const [qos, got] of [
  [1, [...new Set(received[1])]],
  [2, received[2]],
]) {
  const wanted = expected(qos);
  if (JSON.stringify(got) !== JSON.stringify(wanted)) {
    problems.push(`QoS ${qos}: ${got.length} of ${wanted.length}, ${JSON.stringify(got)}`);
  }
}
if (confirmed !== count) {
  problems.push(`confirmed: ${confirmed} of ${count}`);
}
console.log(problems.join("; ") || "done");
process.exit(problems.length ? 1 : 0);
