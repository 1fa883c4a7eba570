import {
  fieldProblems,
  VARIABLE_NAME,
  variableValues,
  z,
  type FieldProblem,
  type ToolDefinition,
  type ToolVariables,
} from '@casefile/contracts';
import { toolNames, toolVariables } from '@casefile/evidence';
import type { Kind } from '@casefile/kit';
import { environmentSchema } from './environment-schema.js';

/** A declaration of variables, and who made it. */
interface Declaration {
  by: string;
  variables: ToolVariables;
}

/** Returns who declares which variables of the environment for tools: the shipped tools, then those of kinds. */
export function variableDeclarations(kinds: readonly Pick<Kind, 'playbook' | 'tools'>[]): Declaration[] {
  const ofKinds = kinds.flatMap(({ playbook, tools }) =>
    tools.map(({ name, variables }) => ({ by: `tool ${name} of kind ${playbook.name}`, variables })),
  );
  return [{ by: 'shipped tools', variables: toolVariables }, ...ofKinds];
}

/**
 * Returns the texts of the variables that tools declare, and the problems of the texts and of the declarations: a tool
 * cannot declare a variable that Casefile reads itself, and names of tools are unique.
 */
export function readToolEnvironment(
  kinds: readonly Pick<Kind, 'playbook' | 'tools'>[],
  source: Readonly<Record<string, string | undefined>>,
): { texts: Record<string, string | undefined>; problems: FieldProblem[] } {
  const problems: FieldProblem[] = [];
  const texts: Record<string, string | undefined> = {};
  for (const { by, variables } of variableDeclarations(kinds)) {
    for (const name of Object.keys(variables)) {
      texts[name] = source[name];
      if (Object.hasOwn(environmentSchema.shape, name))
        problems.push({
          path: name,
          message: `expected another name in the ${by}: Casefile reads this variable`,
        });
      else if (!VARIABLE_NAME.test(name))
        problems.push({ path: name, message: `expected a name such as REGISTER_URL in the ${by}` });
    }
    problems.push(...valueProblems(variables, source));
  }
  return { texts, problems: [...problems, ...nameProblems(kinds.flatMap(({ tools }) => tools))] };
}

function valueProblems(variables: ToolVariables, source: Readonly<Record<string, string | undefined>>) {
  try {
    variableValues(variables, source);
    return [];
  } catch (error) {
    if (error instanceof z.ZodError) return fieldProblems(error);
    throw error;
  }
}

function nameProblems(definitions: readonly ToolDefinition[]): FieldProblem[] {
  const names = [...toolNames, ...definitions.map(({ name }) => name)];
  const twice = definitions.filter(({ name }) => names.filter((one) => one === name).length > 1);
  return [...new Set(twice.map(({ name }) => name))].map((name) => ({
    path: 'kinds',
    message: `two tools have the name ${name}: expected another name for the tool of the kind`,
  }));
}
