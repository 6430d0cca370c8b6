//! Idioms: small pieces in the ways of real C programs, with random types, sizes and values.
//!
//! Each declares what it needs at file scope, runs, and leaves places behind that the rest of the program uses.

mod calls;
mod control;
mod floats;
mod heap;
mod layout;
mod records;
mod text;
mod wide;

use super::program::Builder;

type Idiom = (&'static str, fn(&mut Builder<'_>));

const IDIOMS: [Idiom; 49] = [
    ("struct", records::structure),
    ("bit-field", records::bit_fields),
    ("union", records::union),
    ("bytes", records::bytes),
    ("array of structs", records::array_of_structs),
    ("header copy", records::header_copy),
    ("partial fill", records::partial_fill),
    ("partial copy", records::partial_copy),
    ("container_of", records::container_of),
    ("member walk", records::member_walk),
    ("compound literal", records::compound_literal),
    ("overlapping move", records::overlapping_move),
    ("nested union", records::nested_union),
    ("list", heap::list),
    ("realloc", heap::grow),
    ("tree", heap::tree),
    ("heap struct", heap::heap_struct),
    ("pointer array", heap::pointer_array),
    ("circular list", heap::circular_list),
    ("recursion", calls::recursion),
    ("function table", calls::function_table),
    ("varargs", calls::varargs),
    ("varargs passed on", calls::varargs_passed_on),
    ("static local", calls::static_local),
    ("VLA", calls::vla),
    ("struct by value", calls::struct_by_value),
    ("cleanup", calls::cleanup),
    ("overflow builtins", calls::overflow_builtins),
    ("hooks", calls::hooks),
    ("string", text::string),
    ("string loop", text::string_loop),
    ("print to buffer", text::print_to_buffer),
    ("number parsing", text::number_parsing),
    ("character classes", text::character_classes),
    ("sort", text::sort),
    ("float", floats::floats),
    ("wide numbers", wide::wide),
    ("interpreter", control::interpreter),
    ("switch into loop", control::switch_into_loop),
    ("long jump", control::long_jump),
    ("state machine", control::state_machine),
    ("bounded loop", control::bounded_loop),
    ("effects", control::effects),
    ("packed", layout::packed),
    ("anonymous", layout::anonymous),
    ("byte order", layout::byte_order),
    ("linked table", layout::linked_table),
    ("ring", layout::ring),
    ("hash table", layout::hash_table),
];

impl Builder<'_> {
    pub fn idiom(&mut self) {
        let (name, build) = IDIOMS[self.choices.below(IDIOMS.len())];
        self.idioms.push(name);
        build(self);
    }
}
