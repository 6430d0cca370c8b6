// float is computed in its own format, and with a double in that of double.
//# call reach_error: TRUE
extern void reach_error(void);

int main(void) {
    float a = 1.1f, b = 2.2f;
    float product = a * b;
    double wide = (double)a * b;
    if (a * b != product || product == wide || a * 2.2 == product)
        reach_error();
    return 0;
}
