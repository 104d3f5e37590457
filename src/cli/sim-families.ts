import type { Movement } from '../sim/movement.ts';
import { allSimKinds } from '../sim/sim-kinds.ts';
import { simulatedFamilies } from '../sim/simulated-families.ts';

/** One line a family: its name, and what makes it move. */
export function familiesText(kind: string): string {
  const families = allSimKinds.filter((one) => one.kind === kind).flatMap(simulatedFamilies);
  if (families.length === 0) return `${kind} has no metrics page.\n`;
  const width = Math.max(...families.map(({ name }) => name.length));
  return families.map(({ name, movement }) => `${name.padEnd(width)}  ${movementText(movement)}\n`).join('');
}

function movementText(movement: Movement): string {
  if (movement.does === 'moves with') return `moves with ${movement.flag}`;
  if (movement.does === 'stays at 0') return `stays at 0: ${movement.because}`;
  return movement.does === 'stands' ? 'told at the start, and stands' : 'moves by itself';
}
