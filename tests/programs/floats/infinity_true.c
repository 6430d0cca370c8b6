// Infinities: overflow, opposite ones, reciprocals, products with zero.
//# call reach_error: TRUE
extern void reach_error(void);

int main(void) {
    double huge = 1e308, inf = huge * 10, none = inf - inf, product = inf * 0.0;
    if (!(inf > huge) || -inf >= -huge || inf + 1 != inf || 1 / inf != 0 || none == none || product == product)
        reach_error();
    return 0;
}
