// A port of which a test replaces some methods.

/** The port with some of its methods replaced; the others keep their own `this`. */
export function override<T extends object>(port: T, methods: Partial<T>): T {
  return new Proxy(port, {
    get: (target, name) => {
      const value: unknown = Reflect.get(methods, name) ?? Reflect.get(target, name);
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });
}
