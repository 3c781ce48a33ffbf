/** The generator behind `Math.random` and `crypto`: sfc32, 128 bits of state, from a 64-bit seed. */
export function seeded(low: number, high: number): () => number {
  let a = low | 0;
  let b = high | 0;
  let c = 0x9e3779b9;
  let counter = 1;
  const next = (): number => {
    const sum = (a + b + counter++) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = ((c << 21) | (c >>> 11)) + sum;
    return sum >>> 0;
  };
  for (let round = 0; round < 15; round++) next();
  return next;
}
